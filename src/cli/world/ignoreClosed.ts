/** Lets a stream fail quietly when its reader closes it (`remit plan | head`); gives the stream. */
export function ignoreClosed(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
