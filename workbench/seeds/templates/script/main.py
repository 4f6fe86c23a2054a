"""What this tool does, in one sentence."""


def main(text, times=1):
    # Prints go to the log; the returned value is the result.
    print(f"greeting {text}")
    return {"message": ", ".join([f"Hello {text}"] * times)}
