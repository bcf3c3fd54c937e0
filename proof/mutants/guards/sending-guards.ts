import type { Guard } from './guard.ts'

const REPLAYS = 'src/tipping/machines/outgoing/replays.ts'
const SEND = 'src/tipping/machines/outgoing/send-outgoing.ts'
const FORWARD = 'src/tipping/withdrawals/poll-forward.ts'
const AMOUNTS = 'test/tipping/other-amounts.test.ts'
const PAUSES = 'test/tipping/pauses.test.ts'

/** What proves that a key is remembered: without it, whatever is replayed. */
const ASKED_FOR_SOMETHING_ELSE = {
  file: 'src/payments-api/probe-replay.ts',
  text: 'return (await ask(client, SAME_INVOICE_AS_ANOTHER_REQUEST, idempotencyKey)).code === REUSED',
  without: 'return (await ask(client, EXAMPLE_INVOICE, idempotencyKey)).replayed',
}

/** The book is asked once more whether the provider replays, right before a key leaves again. */
export const AS_IT_IS_NOW = {
  file: 'src/tipping/machines/outgoing/poll-outgoing.ts',
  text: 'where: { id, state, replays: true }',
  without: 'where: { id, state }',
} as const

/** What guards whatever is sent: that it is sent once, not during a pause, and that answers are about it. */
export const SENDING_GUARDS: readonly Guard[] = [
  {
    fault: 'tips that are sent on twice',
    holds: 'what was reserved to be sent on is no longer due',
    places: [
      { file: FORWARD, text: '{ forwardDue: { decrement: reserved } }', without: '{ forwardDue: { decrement: 0 } }' },
    ],
    test: 'test/tipping/withdrawals/forwarding.test.ts',
    named: 'go on only after what is to stay is there, and deposits stay',
  },
  {
    fault: 'a provider that learns to replay',
    holds: 'a key is sent again only where it was known to be replayed when it was sent',
    places: [{ file: REPLAYS, text: 'if (!sent.replays || sent.provider', without: 'if (sent.provider' }, AS_IT_IS_NOW],
    test: 'test/tipping/replays.test.ts',
    named: 'that was sent before its provider learned to replay is not',
  },
  {
    fault: 'a provider that learns to replay',
    holds: 'one call sends twice only what could be replayed when it began',
    places: [
      {
        file: 'src/payments-api/client.ts',
        text: 'repeatable && mayRepeat(session, operation, call) ? pauseBefore',
        without: 'mayRepeat(session, operation, call) ? pauseBefore',
      },
    ],
    test: 'test/payments-api/client-retries.test.ts',
    named: 'began to replay only after it was sent',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'a provider is asked whether it still remembers before a key is sent again',
    places: [{ file: REPLAYS, text: "if (await context.stillReplays()) return 'yes'", without: "return 'yes'" }],
    test: 'test/tipping/replays.test.ts',
    named: 'is not where the provider has forgotten it meanwhile',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'a request that the network delivers twice is no proof that its key is remembered',
    places: [ASKED_FOR_SOMETHING_ELSE],
    test: 'test/assembly/replay-knowledge.test.ts',
    named: 'is asked for something else under an old key',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'what it has forgotten is not sent again when it replays again',
    places: [
      {
        file: 'src/tipping/machines/outgoing/poll-after-reconnect.ts',
        text: '      await forgetReplays(context)\n',
        without: '',
      },
    ],
    test: 'test/tipping/replays.test.ts',
    named: 'nor where the provider was noticed to forget',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'the service remembers over a restart what a sender asks it to tell whether it forgot',
    places: [
      {
        file: 'src/payments-service/machines/http/run-operation.ts',
        text: 'inMemory: mayOnlyRead(request.caller),',
        without: "inMemory: operation.scope === 'read',",
      },
    ],
    test: 'test/payments-service/http/idempotency.test.ts',
    named: 'remembers a reading request after a restart',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'a key of which the answer was lost proves nothing any more',
    places: [
      {
        file: 'src/assembly/replay-knowledge.ts',
        text: 'if (!(await this.#store.take(key))) return await this.#prove(fresh)',
        without: '',
      },
    ],
    test: 'test/assembly/replay-knowledge.test.ts',
    named: 'what the answer to an old key was nobody knows',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'a provider that forgot keys while the bot was stopped is noticed at the start',
    places: [
      {
        file: 'src/tipping/create-tipping.ts',
        text: '  await options.takeUpReplayKeys?.(replayKeysOf(context))\n',
        without: '  replayKeysOf(context)\n',
      },
    ],
    test: 'test/tipping/stored-replay-keys.test.ts',
    named: 'is noticed at the start',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'a restored book trusts no key that was kept before',
    places: [
      ASKED_FOR_SOMETHING_ELSE,
      { file: 'src/tipping/audit/restored.ts', text: '    await tx.replayKey.deleteMany()\n', without: '' },
    ],
    test: 'test/tipping/stored-replay-keys.test.ts',
    named: 'a restored book sends no key again',
  },
  {
    fault: 'a provider that forgets keys',
    holds: 'what was sent before a provider forgot is not sent again, by the commit that keeps new keys',
    places: [{ file: REPLAYS, text: '          await forgetReplaysIn(tx, context, { provider })\n', without: '' }],
    test: 'test/tipping/stored-replay-keys.test.ts',
    named: 'is noticed though it replays no keys at the start',
  },
  {
    fault: 'a pause in the book',
    holds: 'a payout is not marked during a pause',
    places: [
      {
        file: SEND,
        text: 'if (pause !== undefined) return paused(pause.reason)',
        without: "if (pause !== undefined && kind.name !== 'payout') return paused(pause.reason)",
      },
    ],
    test: PAUSES,
    named: 'a payout whose gamertag is being looked up',
  },
  {
    fault: 'a pause in the book',
    holds: 'a withdrawal is not marked during a pause',
    places: [
      {
        file: SEND,
        text: 'if (pause !== undefined) return paused(pause.reason)',
        without: "if (pause !== undefined && kind.name !== 'withdrawal') return paused(pause.reason)",
      },
    ],
    test: PAUSES,
    named: 'a withdrawal',
  },
  {
    fault: 'a pause in the book',
    holds: 'no code is asked for during a pause',
    places: [
      {
        file: SEND,
        text: 'if (pause !== undefined) return paused(pause.reason)',
        without: "if (pause !== undefined && kind.name !== 'voucher') return paused(pause.reason)",
      },
    ],
    test: PAUSES,
    named: 'a voucher, and the codes of a drop',
  },
  {
    fault: 'a pause in the book',
    holds: 'a pause that cannot be written holds in the process that was told',
    places: [
      {
        file: 'src/tipping/machines/outgoing/outgoing-payments-switch.ts',
        text: '    this.#unwritten.add(pause)\n',
        without: '',
      },
    ],
    test: PAUSES,
    named: 'a pause that could not be written',
  },
  {
    fault: 'a pause in the book',
    holds: 'no key is sent again during a pause: where its first attempt never arrived, it would pay',
    places: [
      {
        file: 'src/tipping/machines/outgoing/poll-outgoing.ts',
        text: '  if (!kind.comesIn && (await context.outgoingSwitch.pausedIn(context.database.read)) !== undefined) return undefined\n',
        without: '',
      },
      {
        file: 'src/tipping/machines/outgoing/poll-outgoing.ts',
        text: '  if (!kind.comesIn && (await outgoingSwitch.pausedIn(database.read)) !== undefined) return false\n',
        without: '',
      },
    ],
    test: PAUSES,
    named: 'of a payout: it stays unknown',
  },
  {
    fault: 'an answer with another amount',
    holds: 'the answer to a payout is about its amount',
    places: [
      {
        file: SEND,
        text: 'if (asked === undefined || answered === asked) {',
        without: "if (asked === undefined || answered === asked || kind.name === 'payout') {",
      },
    ],
    test: AMOUNTS,
    named: 'of a payout',
  },
  {
    fault: 'an answer with another amount',
    holds: 'the answer to a voucher is about its amount',
    places: [
      {
        file: SEND,
        text: 'if (asked === undefined || answered === asked) {',
        without: "if (asked === undefined || answered === asked || kind.name === 'voucher') {",
      },
    ],
    test: AMOUNTS,
    named: 'of a voucher that is made',
  },
  {
    fault: 'an answer with another amount',
    holds: 'a voucher that is read is the one that was made',
    places: [
      {
        file: 'src/tipping/vouchers/poll-voucher.ts',
        text: 'if (data.amount !== voucher.amount) {',
        without: 'if (data.amount < 0n) {',
      },
    ],
    test: AMOUNTS,
    named: 'of a voucher that is made',
  },
  {
    fault: 'an answer with another amount',
    holds: 'a code that was made here brings what it was made with',
    places: [
      {
        file: SEND,
        text: 'if (asked === undefined || answered === asked) {',
        without: "if (asked === undefined || answered === asked || kind.name === 'redemption') {",
      },
    ],
    test: AMOUNTS,
    named: 'of a code that was made here',
  },
  {
    fault: 'a disabled charge that is paid',
    holds: 'every charge is read before a surplus is taken for nobody’s',
    places: [
      {
        file: 'src/tipping/audit/act-on-audit.ts',
        text: '    if (!(await isNobodys(context))) return\n',
        without: '',
      },
    ],
    test: 'test/tipping/audit/audit.test.ts',
    named: 'finds whose a surplus is',
  },
  {
    fault: 'a start with a wrong clock',
    holds: 'a clock far beyond the newest time of the book expires nothing for a day',
    places: [
      {
        file: 'src/lib/book-clock.ts',
        text: 'const goesOn = stopMs >= 0 && stopMs <= MAX_STOP_MS',
        without: 'const goesOn = stopMs >= 0',
      },
    ],
    test: 'test/reliability/clocks.test.ts',
    named: 'forty days ahead',
  },
  {
    fault: 'a start with a wrong clock',
    holds: 'how old a key is goes by the time of the book as well',
    places: [
      {
        file: 'src/lib/book-clock.ts',
        text: 'return Math.max(now, this.#clock.now()) - at.getTime()',
        without: 'return this.#clock.now() - at.getTime()',
      },
    ],
    test: 'test/reliability/clocks.test.ts',
    named: 'three hours back',
  },
  {
    fault: 'a start with a wrong clock',
    holds: 'how old the key of a redeemed code is goes by the time of the book, too',
    places: [
      {
        file: 'src/tipping/vouchers/redeem-voucher.ts',
        text: 'sentAt: new Date(context.clockWatch.now())',
        without: 'sentAt: createdAt',
      },
    ],
    test: 'test/reliability/clocks.test.ts',
    named: 'the key of a redeemed code',
  },
  {
    fault: 'a start with a wrong clock',
    holds: 'what is unknown is looked into again at every start',
    places: [{ file: 'src/tipping/create-tipping.ts', text: '  await pollUnknown(context)\n', without: '' }],
    test: 'test/reliability/clocks.test.ts',
    named: 'looks again at every start',
  },
  {
    fault: 'a restore without an operator',
    holds: 'what leaves a restored book waits for an operator, unless another word was given',
    places: [{ file: 'src/assembly/backup/prove-restored.ts', text: 'paused: !notPaused', without: 'paused: false' }],
    test: 'test/assembly/backup.test.ts',
    named: 'waits for an operator too',
  },
  {
    fault: 'a provider that learns to replay',
    holds: 'nothing is sent before the provider has said whether it replays: it could stay unknown',
    places: [
      {
        file: 'src/tipping/machines/outgoing/send-outgoing.ts',
        text: '    await context.askedForReplays()\n',
        without: '',
      },
    ],
    test: 'test/tipping/payout-proof.test.ts',
    named: 'is nothing while it has not said',
  },
]
