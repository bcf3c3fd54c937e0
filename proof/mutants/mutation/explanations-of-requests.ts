import type { Explained } from './explained.ts'

const CLAIM = 'src/payments-service/withdrawal-requests/claim-withdrawal-request.ts'
const EXPIRE = 'src/payments-service/withdrawal-requests/expire-withdrawal-requests.ts'

/** What survives the tests of withdrawal requests, and why that is well. */
export const OF_REQUESTS: readonly Explained[] = [
  {
    file: CLAIM,
    code: 'const SECRET = /^[\\w-]{20,100}$/',
    changes: ['/^[\\w-]{20,100}$/ => /[\\w-]{20,100}$/', '/^[\\w-]{20,100}$/ => /^[\\w-]{20,100}/'],
    because: 'Only PostgreSQL cannot be asked for some of these texts; the same tests run there, and notice.',
  },
  {
    file: CLAIM,
    code: 'if (error instanceof AlreadyWritten) {',
    changes: ['error instanceof AlreadyWritten => true'],
    because:
      'After any other error the request stands as before, and the error is thrown as it is; or it was claimed, and its own refusal says the same.',
  },
  {
    file: EXPIRE,
    code: "override name = 'Claimed'",
    changes: [`'Claimed' => ""`],
    because: 'It is caught, and nobody reads its name but in a debugger.',
  },
  {
    file: EXPIRE,
    code: "orderBy: { expiresAt: 'asc' },",
    changes: ["{ expiresAt: 'asc' } => {}"],
    because: 'All that are due are given back in one round; the order only says in which of its batches.',
  },
  {
    file: 'src/payments-service/withdrawal-requests/withdrawal-routes.ts',
    code: "return typeof value === 'string' ? value : ''",
    changes: [`'' => "Stryker was here!"`],
    because: 'Neither text is a secret or an invoice, and both are refused in the same words.',
  },
]
