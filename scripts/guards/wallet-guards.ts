import type { Guard } from './guard.ts'

/** Whose wallet opens for whom. */
export const WALLET_GUARDS: readonly Guard[] = [
  {
    fault: "links to somebody else's wallet",
    holds: 'a project gets links for the users that it opened alone',
    places: [
      {
        file: 'src/payments-service/operations/create-sign-in-link.ts',
        text: 'user === null || user.projectId !== caller.projectId',
        without: 'user === null',
      },
    ],
    test: 'test/payments-service/operations/create-sign-in-link.test.ts',
    named: 'for a user whom an operator or another project made',
  },
]
