/** Prints how many manifests were read, in what time, and the most memory that the process had. */
export function printCost(manifests: number, started: number): void {
  const milliseconds = performance.now() - started;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ manifests, milliseconds, megabytes }));
}
