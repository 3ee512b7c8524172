import { isLoopback } from "../../model/loopback.js";
import { decodedOr, malformedAddress } from "../addressText.js";

/** A state in a bucket, as its address says it. */
export interface BucketAddress {
  /** The address as messages name it. */
  readonly shown: string;
  readonly bucket: string;
  readonly key: string;
  /** Null where the address names none. */
  readonly region: string | null;
  /** The URL of a server that is not AWS; null where the address names none. */
  readonly endpoint: string | null;
}

/** Characters that a bucket's name may have, at AWS and elsewhere. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/;
const PARAMETERS = ["region", "endpoint"];

const malformed = malformedAddress(
  "Write for example s3://my-bucket/remit/state?region=eu-central-1, and give the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
);

/** Reads `s3://BUCKET/KEY?region=&endpoint=`; throws a `StateError`. */
export function bucketAddress(text: string): BucketAddress {
  const [, bucket = "", path = "", query = ""] = /^s3:\/\/([^/?#]*)\/?([^?#]*)\??([^#]*)$/i.exec(text) ?? [];
  const key = decodedOr(malformed, path);
  if (!BUCKET.test(bucket) || key === "" || key.endsWith("/") || text.includes("#"))
    throw malformed("it does not have the form s3://BUCKET/KEY[?region=REGION&endpoint=URL]");
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name)) throw malformed(`it has the unknown parameter ${name}`);
  const region = parameters.get("region");
  if (region !== null && !/^[a-z0-9-]+$/i.test(region)) throw malformed("its region is not a region's name");
  const endpoint = parameters.get("endpoint");
  return {
    shown: `s3://${bucket}/${key}`,
    bucket,
    key,
    region,
    endpoint: endpoint === null ? null : checkEndpoint(endpoint),
  };
}

/** The URL of a server without a slash at its end. Throws a `StateError` for one that cannot be used. */
export function checkEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    throw malformed("its endpoint is not a URL such as https://s3.example.com");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw malformed("its endpoint is not https, so the state could be read and changed on the way");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
