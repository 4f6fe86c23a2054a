my @lines = sort { length $b <=> length $a } <STDIN>;
print $lines[0];
