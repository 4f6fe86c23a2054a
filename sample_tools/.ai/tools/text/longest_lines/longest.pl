use strict;
use warnings;
use JSON::PP;

# Parameters come as one JSON object on stdin; what is printed is the result.
my $parameters = decode_json(do { local $/; <STDIN> });
my $path = $parameters->{path};
my $top = $parameters->{top} // 3;

open(my $file, '<:encoding(UTF-8)', $path) or die "$path: $!\n";
my @lines;
while (my $text = <$file>) {
    $text =~ s/\r?\n\z//;
    push @lines, { line => $., length => length $text, text => substr($text, 0, 200) };
}
close $file;

my @longest = sort { $b->{length} <=> $a->{length} || $a->{line} <=> $b->{line} } @lines;
splice @longest, $top if @longest > $top;
print JSON::PP->new->utf8->canonical->encode({ lines => \@longest }), "\n";
