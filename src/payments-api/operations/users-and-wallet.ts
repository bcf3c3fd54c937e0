import { z } from 'zod'
import type { Network } from '../../lib/lightning/bolt11.ts'
import { messageAndData, type Operation, successAndData, successMessageAndData } from '../operation.ts'
import { everyOperation, everyPath } from '../refusals.ts'
import { id, ipAddress, name } from '../request-fields.ts'
import { amount, count, flag, list, optional, requiredText, shape, state, text, unit } from '../response-fields.ts'

/** The possible networks of a wallet's sats. Only sats on `bitcoin` have a value. */
const NETWORKS = ['bitcoin', 'testnet', 'signet', 'regtest', 'simnet'] as const satisfies readonly Network[]

export const wallet = shape(
  {
    unit,
    balance: amount('The spendable balance, in msats.'),
    network: optional({
      wire: z
        .enum(NETWORKS)
        .describe(
          'Additive: the network of the Lightning node. Absent until the node has been reached for the first time.',
        ),
      read: z.enum(NETWORKS),
    }),
    node: optional(
      shape({
        state: state('ready', 'low', 'starting', 'syncing', 'away'),
        offers: optional(
          shape({
            pays: flag('Whether BOLT12 offers can be paid (Fetch Offer Invoice).'),
            names: flag('Whether Bitcoin names (BIP-353) can be paid.'),
            receives: flag('Whether Get Static Charge returns offers that can be paid from outside.'),
          }),
        ),
        tariff: optional(
          shape({
            base: amount('The cost of each payment, in msats.'),
            partsPerMillion: count('The additional cost, in millionths of the amount, rounded up to an msat.'),
          }),
        ),
      }),
    ),
  },
  'Wallet',
)

export const region = shape(
  {
    ipAddress: text('The address in the request.'),
    isSupported: flag('Whether the service is offered in this region.'),
    ipCountry: text('ISO 3166-1 country code.'),
    ipRegion: text('ISO 3166-2 subdivision code; empty if it is not known.'),
  },
  'Region',
)

export const getGamertagByUserId = {
  name: 'getGamertagByUserId',
  verb: 'GET',
  path: '/v0/gamertag/user-id/{id}',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Get Gamertag By User ID',
  description: 'Reads the gamertag that a user has now.',
  params: z.strictObject({ id: id('The immutable id of the user.') }),
  body: undefined,
  response: successMessageAndData(shape({ gamertag: requiredText('The gamertag that the user has now.') })),
  refusals: [...everyOperation, ...everyPath, 'user_not_found'],
  secrets: [],
} as const satisfies Operation

export const getIdByGamertag = {
  name: 'getIdByGamertag',
  verb: 'GET',
  path: '/v0/user-id/gamertag/{gamertag}',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Get ID by Gamertag',
  description: 'Reads the immutable id of the user who has a gamertag now. Case does not matter.',
  params: z.strictObject({ gamertag: name('The gamertag.') }),
  body: undefined,
  response: successAndData(shape({ id: requiredText('The immutable id of the user.') })),
  refusals: [...everyOperation, ...everyPath, 'gamertag_not_found'],
  secrets: [],
} as const satisfies Operation

export const getWallet = {
  name: 'getWallet',
  verb: 'GET',
  path: '/v0/wallet',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Get Wallet',
  description:
    'Reads the balance of the project that owns the API key. Reserved money is not included. Additive: `node` contains the state of the Lightning node at its last check (`low`: it can send less than this wallet holds), and its fixed price for sending, if there is one.',
  params: z.strictObject({}),
  body: undefined,
  response: messageAndData(wallet),
  refusals: everyOperation,
  secrets: [],
} as const satisfies Operation

export const apiSupportedRegions = {
  name: 'apiSupportedRegions',
  verb: 'GET',
  path: '/v0/is-supported-region/{ipAddress}',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'API Supported Regions',
  description: 'Says whether the service is offered in the region of an IP address.',
  params: z.strictObject({ ipAddress }),
  body: undefined,
  response: successAndData(region),
  refusals: [...everyOperation, ...everyPath],
  secrets: [],
} as const satisfies Operation

export const getCallbackAddresses = {
  name: 'getCallbackAddresses',
  verb: 'GET',
  path: '/v0/prod-ips',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'Get Callback Addresses',
  description:
    'Additive. Lists the addresses from which callbacks come, for a firewall. The list is empty if the operator has entered none. A signature proves more than an address, so check it in any case.',
  params: z.strictObject({}),
  body: undefined,
  response: successMessageAndData(
    shape({ ips: list(requiredText('An IPv4 or IPv6 address, or a network of them.'), 'May be empty.') }),
  ),
  refusals: [...everyOperation],
  secrets: [],
} as const satisfies Operation

export const getPrice = {
  name: 'getPrice',
  verb: 'GET',
  path: '/v0/btcusd',
  host: 'base',
  family: 'Users and wallet',
  scope: 'read',
  idempotent: true,
  additive: true,
  summary: 'Get Price',
  description:
    'Additive. Reads the price of a bitcoin in dollars, from the source that the operator has chosen, at most ten minutes old. 503 `no_price` if there is none.',
  params: z.strictObject({}),
  body: undefined,
  response: successMessageAndData(
    shape({
      btcUsdPrice: requiredText('Dollars for one bitcoin, a plain decimal.'),
      btcUsdTimestamp: requiredText('The time of that state, in seconds since 1970.'),
    }),
  ),
  refusals: [...everyOperation, 'no_price'],
  secrets: [],
} as const satisfies Operation
