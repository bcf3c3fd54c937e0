import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyOperation } from '../refusals.ts'
import { amount, flag, nullableText, requiredText, shape, text } from '../response-fields.ts'

/**
 * The header with a user's access token. It is optional here, because a missing token has a refusal of its own, which
 * explains how to get a token.
 */
const userToken = z.object({
  usertoken: z
    .string({ error: 'must be one token' })
    .max(512, { error: 'must be an access token' })
    .optional()
    .describe('The access token that the user has allowed this program.'),
})

const profile = shape(
  {
    id: requiredText('The immutable id of the user.'),
    gamertag: requiredText('The gamertag that the user has now. It may change: identify users by their id.'),
    email: nullableText('Always null: the service knows none.'),
    image: nullableText('Always null: the service has none.'),
    isVerified: flag("Always false: the service checks nobody's identity."),
    lightningAddress: requiredText('The Lightning Address at which anybody can pay the user.'),
    publicBio: text('Always empty.'),
    publicStaticCharge: requiredText('The same address as an LNURL code.'),
  },
  'UserProfile',
)

const wallet = shape(
  {
    balance: amount('The spendable balance of the user, in msats.'),
    remainingAmountLimits: shape({
      daily: amount('In msats. This service has no such limit, so it is all the bitcoin there will ever be.'),
      weekly: amount('The same as `daily`.'),
      monthly: amount('The same as `daily`.'),
      maxCredit: amount('The maximum amount of one operation, in msats.'),
    }),
  },
  'UserWallet',
)

const refusals = [...everyOperation, 'missing_user_token', 'unknown_user_token', 'missing_user_scope'] as const

export const getUserProfile = {
  name: 'getUserProfile',
  verb: 'GET',
  path: '/v1/oauth2/user',
  host: 'base',
  family: 'Log in',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'Get User Profile',
  description: 'Additive. Reads who has logged in. The user must have allowed `user` to a program of this project.',
  params: z.strictObject({}),
  headers: userToken,
  body: undefined,
  response: successMessageAndData(profile),
  refusals,
  secrets: [],
} as const satisfies Operation

export const getUserWallet = {
  name: 'getUserWallet',
  verb: 'GET',
  path: '/v1/oauth2/wallet',
  host: 'base',
  family: 'Log in',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'Get User Wallet',
  description:
    'Additive. Reads how much the user who has logged in can spend. The user must have allowed `wallet` to a program of this project. No sats can be spent with the access token.',
  params: z.strictObject({}),
  headers: userToken,
  body: undefined,
  response: successMessageAndData(wallet),
  refusals,
  secrets: [],
} as const satisfies Operation
