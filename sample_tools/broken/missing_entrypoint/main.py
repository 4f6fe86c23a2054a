def main():
    return {"hello": "world"}
