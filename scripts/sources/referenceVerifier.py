"""Reads lines {"envelope", "isGood"} and says how many envelopes securesystemslib and in-toto-attestation judge otherwise."""
import copy
import json
import sys

from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey


def accepts(envelope, keys):
    try:
        read = Envelope.from_dict(copy.deepcopy(envelope))
        read.verify(keys, 1)
        statement = json_format.Parse(read.payload, statement_pb2.Statement())
        Statement.copy_from_pb(statement).validate()
        return True
    except Exception:
        return False


key_file, lines_file = sys.argv[1:]
with open(key_file, encoding="utf-8") as file:
    described = json.load(file)
keys = [SSlibKey(described["keyid"], "ed25519", "ed25519", {"public": described["public"]})]
judged = {"good": 0, "bad": 0, "otherwise": 0}
with open(lines_file, encoding="utf-8") as file:
    for line in file:
        one = json.loads(line)
        if accepts(one["envelope"], keys) != one["isGood"]:
            judged["otherwise"] += 1
        judged["good" if one["isGood"] else "bad"] += 1
print(json.dumps(judged))
sys.exit(1 if judged["otherwise"] else 0)
