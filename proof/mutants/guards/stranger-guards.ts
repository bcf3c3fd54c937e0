import type { Guard } from './guard.ts'

const GROWTH = 'test/payments-service/receiving/anonymous-growth.test.ts'
const LIMITS = 'test/lib/http/address-limit.test.ts'

/** What bounds what somebody without a key, or with somebody else's project, can have the service do. */
export const STRANGER_GUARDS: readonly Guard[] = [
  {
    fault: 'callbacks reach this machine',
    holds: 'only the bot’s own project is told on loopback',
    places: [
      {
        file: 'src/assembly/own-callbacks.ts',
        text: 'projectId === this.#projectId && URL.canParse(url)',
        without: 'projectId !== "" && URL.canParse(url)',
      },
    ],
    test: 'test/assembly/own-callbacks.test.ts',
    named: 'is for the bot’s project alone',
  },
  {
    fault: 'callbacks reach this machine',
    holds: 'the bot’s own callbacks go to its callback server alone',
    places: [
      {
        file: 'src/assembly/own-callbacks.ts',
        text: 'this.#origins.has(new URL(url).origin)',
        without: 'new URL(url).origin !== ""',
      },
    ],
    test: 'test/assembly/own-callbacks.test.ts',
    named: 'is for the bot’s project alone',
  },
  {
    fault: 'callbacks reach this machine',
    holds: 'a callback that waits is judged when it is sent',
    places: [
      {
        file: 'src/payments-service/machines/outbox/callback-ways.ts',
        text: '(mayReachLoopback(projectId, url) ? nearby : abroad)',
        without: '(projectId === url ? abroad : nearby)',
      },
    ],
    test: 'test/payments-service/outbox/callback-ways.test.ts',
    named: 'is never sent',
  },
  {
    fault: 'one stranger locks out everybody',
    holds: 'a key is looked up before a guess is counted',
    places: [
      {
        file: 'src/payments-service/machines/http/authentication.ts',
        text: 'const caller = await callerOf(hashApiKey(apiKey))',
        without: 'guesses.take(ip)\n      const caller = await callerOf(hashApiKey(apiKey))',
      },
    ],
    test: 'test/payments-service/http/keys.test.ts',
    named: 'shut out nobody who has a key',
  },
  {
    fault: 'one stranger locks out everybody',
    holds: 'guesses are limited',
    places: [
      {
        file: 'src/payments-service/machines/http/authentication.ts',
        text: '        guesses.take(ip)\n',
        without: '',
      },
    ],
    test: 'test/payments-service/http/keys.test.ts',
    named: 'shut out nobody who has a key',
  },
  {
    fault: 'one stranger locks out everybody',
    holds: 'the log tells of a proxy that is not named',
    places: [
      {
        file: 'src/assembly/warn-of-unnamed-proxy.ts',
        text: "if (trustProxy !== false || !url?.startsWith('https:')) return",
        without: 'return',
      },
    ],
    test: 'test/assembly/proxy-warning.test.ts',
    named: 'tells of a proxy',
  },
  {
    fault: 'anonymous growth',
    holds: 'an address has so many invoices made a minute',
    places: [
      { file: 'src/payments-service/receiving/lnurl-pay-routes.ts', text: '    invoices.take(ip)\n', without: '' },
    ],
    test: GROWTH,
    named: 'are made so many a minute',
  },
  {
    fault: 'anonymous growth',
    holds: 'a receiver has so many open invoices',
    places: [
      {
        file: 'src/payments-service/receiving/hand-out-invoice.ts',
        text: 'if (open >= MAX_OPEN) throw',
        without: 'if (open < 0) throw',
      },
    ],
    test: GROWTH,
    named: 'are open in bounded number',
  },
  {
    fault: 'anonymous growth',
    holds: 'a /48 counts as well as its /64s',
    places: [
      {
        file: 'src/lib/http/public-address.ts',
        text: 'return [within(64), within(56), within(48)]',
        without: 'return [within(64)]',
      },
    ],
    test: LIMITS,
    named: 'is limited with its IPv6 neighbours',
  },
  {
    fault: 'anonymous growth',
    holds: 'a flood of names forgets the oldest, not all',
    places: [
      {
        file: 'src/lib/newest-names.ts',
        text: 'if (oldest !== undefined) this.#things.delete(oldest)',
        without: 'if (oldest !== undefined) this.#things.clear()',
      },
    ],
    test: LIMITS,
    named: 'a flood of names',
  },
  {
    fault: 'slots held by unpaid invoices',
    holds: 'one payer reserves a share of the slots',
    places: [
      {
        file: 'src/payments-service/receiving/hand-out-invoice.ts',
        text: 'return now > 0 && forPayer > 0\n',
        without: 'return now > 0 && forPayer > -Infinity\n',
      },
    ],
    test: GROWTH,
    named: 'the slots of a static charge',
  },
  {
    fault: 'slots held by unpaid invoices',
    holds: 'requests of the same moment count, also at another service of the book',
    places: [
      {
        file: 'src/payments-service/receiving/hand-out-invoice.ts',
        text: 'if (!isFree(await freeSlots(tx, claim)))',
        without: 'if ((await freeSlots(tx, claim)).now <= 0)',
      },
    ],
    test: 'test/payments-service/two-services/at-once.test.ts',
    named: 'reserves a payer no more than their share of the slots',
  },
  {
    fault: 'slots held by unpaid invoices',
    holds: 'an invoice counts that the book does not have yet',
    places: [
      {
        file: 'src/payments-service/receiving/hand-out-invoice.ts',
        text: '    await parts.ledger.commit({ write: (tx) => reserve(tx, claim, issued) })\n    return issued\n',
        without: '    void parts.ledger.commit({ write: (tx) => reserve(tx, claim, issued) })\n    return issued\n',
      },
    ],
    test: GROWTH,
    named: 'that the node has made and the book does not have yet',
  },
  {
    fault: 'one user slows everybody',
    holds: 'a user looks at so many pages a second',
    places: [
      {
        file: 'src/payments-service/wallet-page/page-request.ts',
        text: '    wallet.pageLimit.take(pageRequest.user.id)\n',
        without: '',
      },
    ],
    test: 'test/payments-service/wallet-page/one-user-alone.test.ts',
    named: 'looks at so many pages a second',
  },
  {
    fault: 'one user slows everybody',
    holds: 'a QR code is drawn once',
    places: [
      {
        file: 'src/lib/lightning/qr-pictures.ts',
        text: 'pictures.use(text, () => draw(text))',
        without: 'pictures.use("", () => draw(text)) && draw(text)',
      },
    ],
    test: 'test/payments-service/wallet-page/one-user-alone.test.ts',
    named: 'a QR code is drawn once',
  },
  {
    fault: 'small leaks',
    holds: 'a key that may only read fills no book',
    places: [
      {
        file: 'src/payments-service/machines/http/run-operation.ts',
        text: 'inMemory: mayOnlyRead(request.caller),',
        without: 'inMemory: mayOnlyRead(request.caller) && false,',
      },
    ],
    test: 'test/payments-service/http/idempotency.test.ts',
    named: 'replays to a key that may only read from memory',
  },
  {
    fault: 'small leaks',
    holds: 'what strangers are refused fills no log',
    places: [
      {
        file: 'src/payments-service/monitoring/monitoring.ts',
        text: 'if (mayRepeat || repeated.mayWrite(',
        without: 'if (status > 0 || repeated.mayWrite(',
      },
    ],
    test: 'test/payments-service/monitoring/request-log.test.ts',
    named: 'has twenty lines a minute',
  },
  {
    fault: 'small leaks',
    holds: 'figures are not shown through a tunnel',
    places: [
      {
        file: 'src/lib/http/metrics-guard.ts',
        text: ' && isNamedLocally(headers.host)',
        without: ' && (isNamedLocally(headers.host) || true)',
      },
    ],
    test: 'test/payments-service/monitoring/monitoring.test.ts',
    named: 'a tunnel passes on the name',
  },
  {
    fault: 'small leaks',
    holds: 'the note of a payment has a limit',
    places: [
      {
        file: 'src/payments-service/wallet-page/send-page.ts',
        text: 'if (note.length > MAX_HIDDEN_NOTE || ',
        without: 'if (note.length > 1_000_000 || ',
      },
    ],
    test: 'test/payments-service/wallet-page/one-user-alone.test.ts',
    named: 'cannot keep long texts',
  },
  {
    fault: 'small leaks',
    holds: 'a data folder that was open is closed',
    places: [{ file: 'src/lib/data-folder.ts', text: '    closeToOthers(folder)\n', without: '' }],
    test: 'test/lib/data-folder.test.ts',
    named: 'is closed to others',
  },
  {
    fault: 'small leaks',
    holds: 'browsers do not guess what the callback server sends',
    places: [
      {
        file: 'src/web/web-server.ts',
        text: "reply.header('x-content-type-options', 'nosniff')",
        without: "reply.header('x-content-type-options', '')",
      },
    ],
    test: 'test/web/status-page.test.ts',
    named: 'gives programs the same',
  },
]
