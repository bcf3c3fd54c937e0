import type { Guard } from './guard.ts'

/** What keeps one stranger from standing in everybody's way. */
export const ROUTE_GUARDS: readonly Guard[] = [
  {
    fault: 'DNS that hangs',
    holds: 'one site has a few names looked up at once',
    places: [
      {
        file: 'src/lib/http/resolve-name.ts',
        text: 'if (site.running < MAX_CONCURRENT_PER_SITE)',
        without: 'if (site.running < 1_000)',
      },
    ],
    test: 'test/lib/resolve-name.test.ts',
    named: 'lets further names of one site wait',
  },
  {
    fault: 'one caller takes every connection',
    holds: 'a caller has a few requests under way at once',
    places: [
      {
        file: 'src/lib/http/guarded-fetch.ts',
        text: 'each: MAX_CONCURRENT_PER_CALLER',
        without: 'each: Number.POSITIVE_INFINITY',
      },
    ],
    test: 'test/lib/http/guarded-fetch.test.ts',
    named: 'has eight requests under way at most',
  },
  {
    fault: 'one project delays the callbacks of others',
    holds: 'a project has a share of the deliveries, and always some',
    places: [
      {
        file: 'src/payments-service/machines/outbox/outbox.ts',
        text: 'return taken < ALWAYS_PER_PROJECT || (taken < AHEAD_PER_PROJECT && this.#taken.size < MAX_CONCURRENT)',
        without: 'return taken >= 0 && this.#taken.size < MAX_CONCURRENT',
      },
    ],
    test: 'test/payments-service/outbox/outbox.test.ts',
    named: 'delays no other project',
  },
  {
    fault: 'masked links',
    holds: 'every bracket and angle of a quoted text is escaped, and backslashes as well',
    places: [
      {
        file: 'src/bot/discord/quotable.ts',
        text: '.replaceAll(LINKS_AND_MENTIONS, ',
        without: '.replaceAll(/^\\[/g, ',
      },
    ],
    test: 'test/bot/refusal-text.test.ts',
    named: 'has no mark at work',
  },
  {
    fault: 'a claim race answers 500',
    holds: 'claims that the journal refuses are told that the code is used',
    places: [
      {
        file: 'src/payments-service/withdrawal-requests/claim-withdrawal-request.ts',
        text: 'if (error instanceof AlreadyWritten) {',
        without: 'if (error === undefined) {',
      },
    ],
    test: 'test/payments-service/withdrawal-requests/claims.test.ts',
    named: 'is one of sixty at the same moment',
  },
]
