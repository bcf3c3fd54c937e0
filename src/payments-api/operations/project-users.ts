import { z } from 'zod'
import { type Operation, successMessageAndData } from '../operation.ts'
import { everyBody, everyOperation, everyPost } from '../refusals.ts'
import { gamertag, id, linkCode, reference } from '../request-fields.ts'
import { flag, requiredText, shape, time } from '../response-fields.ts'

export const openUser = {
  name: 'openUser',
  verb: 'POST',
  path: '/v0/users',
  host: 'base',
  family: 'Users and wallet',
  scope: 'receive',
  idempotent: false,
  additive: true,
  summary: 'Open User',
  description:
    "Opens a user for one of the project's own people. Each later call with the same `reference` returns the same user, even if the gamertag has changed.",
  params: z.strictObject({}),
  body: z.strictObject({
    reference,
    gamertag: gamertag.describe(
      'The gamertag of a new user. If it is taken or reserved, the user gets a similar gamertag.',
    ),
  }),
  response: successMessageAndData(
    shape(
      {
        id: requiredText('The immutable id of the user.'),
        gamertag: requiredText('The gamertag that the user has now.'),
        created: flag('Whether this call opened the user.'),
      },
      'ProjectUser',
    ),
  ),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'too_many_identifiers'],
  secrets: [],
} as const satisfies Operation

export const createSignInLink = {
  name: 'createSignInLink',
  verb: 'POST',
  path: '/v0/users/{id}/sign-in-link',
  host: 'base',
  family: 'Users and wallet',
  scope: 'send',
  idempotent: false,
  additive: true,
  summary: 'Create Sign-in Link',
  description:
    "Creates a link that opens the wallet page of a user whom the project opened. It works once, within ten minutes. Anybody who has the link can spend that wallet's sats, so show it only to that person. Earlier links that nobody has opened stop working.",
  params: z.strictObject({ id: id('The immutable id of the user.') }),
  body: z.strictObject({}),
  response: successMessageAndData(
    shape(
      { url: requiredText('The address of the link.'), expiresAt: time('When it can no longer be opened.') },
      'SignInLink',
    ),
  ),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'malformed_url', 'url_too_long', 'user_not_found'],
  secrets: ['url'],
} as const satisfies Operation

export const proveGamertag = {
  name: 'proveGamertag',
  verb: 'POST',
  path: '/v0/gamertag/prove',
  host: 'base',
  family: 'Users and wallet',
  scope: 'receive',
  idempotent: false,
  additive: true,
  summary: 'Prove Gamertag',
  description:
    "Checks whether a gamertag belongs to one of the project's own people: either the project opened its user under this `reference`, or its user got this `code` on the wallet page. A code works once, within ten minutes.",
  params: z.strictObject({}),
  body: z.strictObject({
    gamertag: gamertag.describe('The gamertag. Case does not matter.'),
    reference: reference.optional(),
    code: linkCode.optional(),
  }),
  response: successMessageAndData(
    shape(
      {
        id: requiredText('The immutable id of the user.'),
        gamertag: requiredText('The gamertag as its user writes it.'),
      },
      'ProvenUser',
    ),
  ),
  refusals: [...everyOperation, ...everyBody, ...everyPost, 'gamertag_not_found', 'proof_required', 'wrong_proof'],
  secrets: ['code'],
} as const satisfies Operation
