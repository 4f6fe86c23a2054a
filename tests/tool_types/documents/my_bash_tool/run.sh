curl -s -H "X-Key: $API_KEY" https://api.example.com | jq .
