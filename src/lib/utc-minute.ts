/** Formats a time for people in any zone, to the minute: "2030-01-31 10:45 UTC". */
export function utcMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
