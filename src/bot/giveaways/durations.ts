/** How long people can enter, as it is offered. */
export const DURATIONS = [
  ['10m', 10, 'minute'],
  ['30m', 30, 'minute'],
  ['1h', 1, 'hour'],
  ['6h', 6, 'hour'],
  ['1d', 1, 'day'],
  ['3d', 3, 'day'],
  ['7d', 7, 'day'],
] as const
