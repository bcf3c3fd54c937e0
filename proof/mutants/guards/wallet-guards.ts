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
  {
    fault: "links to somebody else's wallet",
    holds: 'a gamertag is proven by nobody else whom its project knows',
    places: [
      {
        file: 'src/payments-service/operations/prove-gamertag.ts',
        text: 'user.projectId === caller.projectId && user.reference === reference',
        without: 'user.projectId === caller.projectId',
      },
    ],
    test: 'test/payments-service/operations/prove-gamertag.test.ts',
    named: 'without a code for the person',
  },
  {
    fault: "links to somebody else's wallet",
    holds: "a code proves its own user's gamertag alone",
    places: [
      {
        file: 'src/payments-service/users/link-code.ts',
        text: 'where: { userId, hash: hashOf(code) }',
        without: 'where: { hash: hashOf(code) }',
      },
    ],
    test: 'test/payments-service/operations/prove-gamertag.test.ts',
    named: 'for a code of another user',
  },
  {
    fault: 'rights of another server',
    holds: 'a server that has not invited the bot gives nobody rights over it, and none of its records',
    places: [
      {
        file: 'src/bot/discord/guest.ts',
        text: 'return guildId !== null && owners != null && owners[ApplicationIntegrationType.GuildInstall] !== guildId',
        without: 'return false',
      },
    ],
    test: 'test/e2e/tip-anywhere.test.ts',
    named: 'lends nobody rights',
  },
]
