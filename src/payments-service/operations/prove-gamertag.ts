import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { useLinkCode } from '../users/link-code.ts'

/**
 * Prove Gamertag: reports whether a gamertag belongs to one of the project's own people, or to the person who was shown
 * the code.
 */
export const proveGamertag = implement(operations.proveGamertag, async ({ body, caller, parts, commit }) => {
  const { reference, code } = body
  const id = await parts.names.userId(body.gamertag)
  const user = await parts.database.read.user.findUnique({ where: { id } })
  if (user === null) throw new ServiceRefusal('gamertag_not_found', 'Nobody has this gamertag. Check the spelling.')
  const proven = { message: 'The gamertag is theirs.', data: { id, gamertag: user.gamertag } }
  if (reference !== undefined && user.projectId === caller.projectId && user.reference === reference) return proven
  if (code === undefined) {
    throw new ServiceRefusal(
      'proof_required',
      'Only a code from the wallet page of the user proves that this gamertag is theirs. Ask the user for a code, and send it as "code".',
    )
  }
  const now = new Date(parts.bookClock.latest())
  return commit(
    {
      write: async (tx) => {
        if (await useLinkCode(tx, id, code, now)) return
        throw new ServiceRefusal(
          'wrong_proof',
          'This code does not belong to this gamertag, or has expired. Ask the user for a new code.',
        )
      },
    },
    proven,
  )
})
