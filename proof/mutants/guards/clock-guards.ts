import type { CodeLocation, Guard } from './guard.ts'

const FAULT = 'a service that starts with a wrong clock'
const CLOCKS = 'test/reliability/service-clocks.test.ts'
const SERVICE = 'src/payments-service'
const SWEEPER = `${SERVICE}/receiving/invoice-sweeper.ts`
const SESSION = `${SERVICE}/wallet-page/session.ts`

/** A place of the service that asks its book for the time, and the tests that notice when it asks the wall clock alone. */
function guard(holds: string, named: string, places: readonly CodeLocation[], test = CLOCKS): Guard {
  return { fault: FAULT, holds, places, test, named }
}

/** What guards the payments service against a machine's clock that is wrong at a start. */
export const CLOCK_GUARDS: readonly Guard[] = [
  guard('the service goes on from the time that its book has kept', 'refunds no withdrawal request', [
    {
      file: `${SERVICE}/service.ts`,
      text: '    await parts.bookClock.load(timeOfBook(parts, options.comparesClocks ? database.serverTime : undefined))\n',
      without: '    timeOfBook(parts)\n',
    },
  ]),
  guard('no withdrawal request is refunded by a clock that is doubted', 'refunds no withdrawal request', [
    {
      file: `${SERVICE}/withdrawal-requests/expire-withdrawal-requests.ts`,
      text: 'if (parts.bookClock.isSteady() && ',
      without: 'if (',
    },
  ]),
  guard(
    'a claim that fails while the clock is doubted leaves its request open',
    'does not come with a claim that fails',
    [
      {
        file: `${SERVICE}/machines/sending/finish-payment.ts`,
        text: '!parts.bookClock.hasPassed(request.expiresAt)',
        without: 'request.expiresAt.getTime() > parts.clock.now()',
      },
    ],
    'test/payments-service/withdrawal-requests/expiry.test.ts',
  ),
  guard('nothing is forgotten by a clock that is doubted', 'forgets no key', [
    { file: `${SERVICE}/forgetting.ts`, text: '!parts.bookClock.isSteady() || ', without: '' },
  ]),
  guard('a key that comes again is not old by a clock that is doubted', 'forgets no key', [
    {
      file: `${SERVICE}/machines/http/idempotency.ts`,
      text: 'bookClock.hasPassed(new Date(row.createdAt.getTime() + RETENTION_MS))',
      without: 'row.createdAt.getTime() + RETENTION_MS <= clock.now() && bookClock !== undefined',
    },
  ]),
  guard('an invoice is due when both times say so', 'closes no invoice that may still be paid', [
    {
      file: SWEEPER,
      text: 'lte: new Date(parts.bookClock.earliest())',
      without: 'lte: new Date(parts.clock.now())',
    },
  ]),
  guard('no invoice is closed while the clock is doubted', 'ends no charge', [
    { file: SWEEPER, text: '  if (!parts.bookClock.isSteady()) return false\n', without: '' },
  ]),
  guard('a name is reserved until both times say that it is free', 'keeps a name reserved', [
    {
      file: `${SERVICE}/machines/names/gamertags.ts`,
      text: 'Math.min(now, known?.at.getTime() ?? now)',
      without: 'known === undefined ? 0 : now',
    },
  ]),
  guard('a session ends when either time says so', 'makes no session', [
    {
      file: SESSION,
      text: '(row?.expiresAt.getTime() ?? 0) - bookClock.latest()',
      without: '(row?.expiresAt.getTime() ?? 0) - clock.now() + (bookClock ? 0 : 1)',
    },
  ]),
  guard('a sign-in link ends when either time says so', 'makes no session', [
    {
      file: SESSION,
      text: 'refuseUnusable(row, bookClock.latest())',
      without: 'refuseUnusable(row, bookClock.earliest())',
    },
  ]),
  guard('an API key ends when either time says so', 'makes no session', [
    {
      file: `${SERVICE}/machines/http/authentication.ts`,
      text: 'const now = bookClock.latest()',
      without: 'const now = bookClock.earliest()',
    },
  ]),
  guard('a session made by a clock that stood ahead is not valid for long', 'what it made then', [
    { file: SESSION, text: ' || left > SESSION_LIFETIME_MS + TOLERANCE_MS', without: '' },
  ]),
  guard('a sign-in link made by a clock that stood ahead is not valid', 'what it made then', [
    { file: SESSION, text: '  if (token.createdAt.getTime() > now + TOLERANCE_MS) throw unusable()\n', without: '' },
  ]),
  guard(
    'a confirmation holds for the clock as it stood then',
    'a confirmation is of the clock',
    [
      {
        file: 'src/lib/book-clock.ts',
        text: 'return agoMs >= -TOLERANCE_MS && agoMs <= Math.min(sinceMs + TOLERANCE_MS, MAX_STOP_MS)',
        without: 'return agoMs >= -TOLERANCE_MS && sinceMs > 0',
      },
    ],
    'test/reliability/clocks.test.ts',
  ),
]
