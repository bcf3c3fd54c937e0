import type { Guard } from './guard.ts'

/** What a third attacker ran into. */
export const THIRD_ATTACK_GUARDS: readonly Guard[] = [
  {
    fault: 'what is told to strangers',
    holds: 'the public status page tells no reason of a pause',
    places: [
      {
        file: 'src/web/status-page.ts',
        text: '{PAUSED[paused.source]}',
        without: '{paused.reason}',
      },
    ],
    test: 'test/web/status-page.test.ts',
    named: 'tells the world of a pause by',
  },
  {
    fault: 'what is told to strangers',
    holds: 'a giveaway of a channel that a member does not see is not named to them',
    places: [
      {
        file: 'src/bot/giveaways/command.ts',
        text: 'moderator || sees(giveaway.channel)',
        without: "moderator || giveaway.channel !== ''",
      },
    ],
    test: 'test/e2e/giveaways.test.ts',
    named: 'in a channel that a member does not see',
  },
  {
    fault: 'new accounts crowd out others',
    holds: 'accounts that were made for it leave half of a day’s faucet to others',
    places: [
      {
        file: 'src/tipping/faucet/take-from-faucet.ts',
        text: "  if (isNew) await count(tx, 'faucet:new', SHARES_OF_NEW_ACCOUNTS, { amount, at })\n",
        without: '',
      },
    ],
    test: 'test/tipping/faucet/faucet.test.ts',
    named: 'half of them together',
  },
  {
    fault: 'new accounts crowd out others',
    holds: 'accounts that were made for it leave half of the voucher codes to others',
    places: [
      {
        file: 'src/tipping/vouchers/redeem-voucher.ts',
        text: '      await leaveRoomForOthers(tx, command.accountSince, new Date(context.clockWatch.now()))\n',
        without: '',
      },
    ],
    test: 'test/tipping/vouchers/redemptions.test.ts',
    named: 'leaves new accounts 150 codes',
  },
  {
    fault: 'strangers slow everybody',
    holds: 'guesses of API keys share their look-ups',
    places: [{ file: 'src/lib/look-up-together.ts', text: 'if (!isRunning) void run()', without: 'void run()' }],
    test: 'test/payments-service/http/keys.test.ts',
    named: 'share the next look-up',
  },
  {
    fault: 'what is told to strangers',
    holds: 'what was asked for in another way than by LNURL is verified to nobody',
    places: [
      {
        file: 'src/payments-service/receiving/verify-route.ts',
        text: '{ paymentHash, ...BY_LNURL }',
        without: '{ paymentHash }',
      },
    ],
    test: 'test/payments-service/receiving/settlements.test.ts',
    named: 'for what LNURL handed out alone',
  },
  {
    fault: 'what is told to strangers',
    holds: 'no preimage is told that nobody on the network knows',
    places: [
      {
        file: 'src/payments-service/receiving/verify-route.ts',
        text: "settled && invoice.settledBy !== 'inside'",
        without: 'settled',
      },
    ],
    test: 'test/payments-service/receiving/settlements.test.ts',
    named: 'tells no preimage',
  },
  {
    fault: 'what is told to strangers',
    holds: 'a member’s copy of their data claims no open withdrawal',
    places: [
      {
        file: 'src/tipping/privacy/export-data.ts',
        text: '{ ...mine, omit: { request: true } }',
        without: 'mine',
      },
    ],
    test: 'test/tipping/privacy/privacy.test.ts',
    named: 'names no code of a withdrawal',
  },
]
