import { MAX_PASSKEY_LABEL } from '../../tipping/tipping.ts'
import { type Action, may, mustHave, WrongForm } from './action.ts'
import { readNewPasskey } from './passkey-proof.ts'
import { t } from './site.ts'

const page = '/console/passkeys'

/** Operators' actions with passkeys, by the last part of the path to which the form is sent. */
export const PASSKEY_ACTIONS: Readonly<Record<string, Action>> = {
  'passkey-add': {
    ...{ fresh: true, page },
    async run({ passkeys }, form, _operator, sender) {
      const passkey = await readNewPasskey(sender, form.get('made') ?? '', labelIn(form))
      if (await passkeys().add(passkey)) return 'said.passkey-added'
      const isKnown = (await passkeys().find(passkey.id)) !== undefined
      throw new WrongForm(isKnown ? 'passkeys.refused.known' : 'passkeys.refused.full')
    },
  },
  'passkey-confirm': {
    ...{ fresh: true, page },
    async run({ passkeys }, form, operator, { visitor: { session } }) {
      const isDone = await passkeys().confirm({ id: mustHave(form, 'passkey'), operator, session })
      if (!isDone) throw new WrongForm('refused.passkey')
      return 'said.passkey-confirmed'
    },
  },
  'passkey-remove': {
    ...{ fresh: true, page },
    async run({ passkeys }, form, operator, { visitor: { session } }) {
      const isDone = await passkeys().remove({ id: mustHave(form, 'passkey'), operator, session })
      if (!isDone) throw new WrongForm('refused.passkey')
      return 'said.passkey-removed'
    },
  },
}

/** Reads a passkey's label. Shortens a long label between two characters, because half a character is not text. */
export function labelIn(form: URLSearchParams): string {
  return [...(may(form, 'label') ?? t('passkeys.unnamed'))].slice(0, MAX_PASSKEY_LABEL).join('').trim()
}
