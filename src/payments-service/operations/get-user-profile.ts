import { encodeLnurl } from '../../lib/lightning/lnurl.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { addressOf, nameUrl } from '../receiving/payable-name.ts'
import { requireUser } from './require-user.ts'

/** Get User Profile: returns the user who has logged in to a program of the calling project. */
export const getUserProfile = implement(operations.getUserProfile, async (call) => {
  const { id, gamertag } = await requireUser(call, 'user')
  return {
    message: 'User retrieved.',
    data: {
      id,
      gamertag,
      email: null,
      image: null,
      isVerified: false,
      lightningAddress: addressOf(call.parts, gamertag),
      publicBio: '',
      publicStaticCharge: encodeLnurl(nameUrl(call.parts, gamertag)),
    },
  }
})
