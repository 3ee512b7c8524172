// In place of the package http2-wrapper in what is built. got loads it with itself, and uses it only for HTTP/2, which
// remit never asks for: loading it takes a tenth as long as a start of node.
export default new Proxy(
  {},
  {
    get: () => {
      throw new Error("remit is built without HTTP/2");
    },
  },
);
