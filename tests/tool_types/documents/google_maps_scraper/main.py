def main(query: str, location: str = "New York, NY") -> list[str]:
    return [f"{query} in {location}"]
