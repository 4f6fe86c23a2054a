curl -s "https://maps.example/$1" | jq .
