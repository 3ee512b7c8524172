/** Whether a process of this computer runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
