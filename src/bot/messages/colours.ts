/** The colours of all messages, by meaning: the bot's own colour, done, in flight, refused, over. */
export const colour = {
  satchel: 0xf7931a,
  done: 0x3ba55d,
  inFlight: 0xf0b232,
  refused: 0xed4245,
  over: 0x80848e,
} as const
