import type { StateError } from "../store.js";
import { noRoom, refused } from "../web/fault.js";
import { headerOf, type WebReply } from "../web/untilAnswered.js";
import type { BucketAddress } from "./address.js";
import { textIn } from "./keys.js";

/** What the server's refusal means; `right` is the permission that the request needs. */
export function answered({ shown, bucket }: BucketAddress, right: string, reply: WebReply): StateError {
  const code = textIn(reply.text, "Code") || `status ${reply.status}`;
  const region = headerOf(reply, "x-amz-bucket-region");
  if (reply.status >= 300 && reply.status < 400)
    return refused(
      shown,
      `the server sends requests for it elsewhere (${code}), and remit sends keys nowhere else`,
      region === null
        ? "Check the region and the endpoint."
        : `Its region is ${region}: write \`?region=${region}\`.`,
    );
  if (reply.status === 507) return noRoom(shown, code);
  switch (code) {
    case "NoSuchBucket":
      return refused(shown, `the bucket ${bucket} does not exist (${code})`, "Make it, or name another.");
    case "AccessDenied":
    case "AccessForbidden":
      return refused(
        shown,
        `this user lacks a right (${code})`,
        `The request needs ${right}. docs/stores.md lists the rights for each job.`,
      );
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidToken":
    case "ExpiredToken":
      return refused(
        shown,
        `it does not accept these keys (${code})`,
        "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and the region.",
      );
    case "AuthorizationHeaderMalformed":
      return refused(
        shown,
        `the region is another (${code})`,
        "Write `?region=` with the region of the bucket.",
      );
    case "QuotaExceeded":
    case "XMinioAdminBucketQuotaExceeded":
      return noRoom(shown, code);
    default:
      return refused(shown, `it refuses a request (${code})`, "Look for that code in its documentation.");
  }
}

/** This user may not read a part of the state; it may also be missing where the user may not list the bucket. */
export function unreadable({ shown }: BucketAddress, part: "head" | "snapshot" | "journal"): StateError {
  const right = "s3:GetObject on every object whose name begins with";
  return part === "head"
    ? refused(
        shown,
        "it does not exist, or this user may not read it (AccessDenied)",
        `Give this user ${right} this key. Where no state exists yet, the first apply makes it; a plan before that needs s3:ListBucket, too.`,
      )
    : refused(
        shown,
        `this user may not read its ${part} (AccessDenied)`,
        `It needs ${right} the key of the state.`,
      );
}

/** Something answers that is not S3. */
export function foreignAnswer({ shown }: BucketAddress, { status }: WebReply): StateError {
  return refused(
    shown,
    `it does not answer as S3 does (status ${status} without an ETag)`,
    "Check the endpoint in the address of the state.",
  );
}
