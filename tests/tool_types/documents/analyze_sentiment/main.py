import argparse
import json
import sys
from importlib import import_module

parser = argparse.ArgumentParser()
parser.add_argument("--text", required=True)
mood = import_module("textblob").TextBlob(parser.parse_args().text).sentiment
json.dump({"polarity": mood.polarity, "subjectivity": mood.subjectivity}, sys.stdout)
