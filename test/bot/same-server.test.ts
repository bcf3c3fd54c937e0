import type { ModalSubmitInteraction } from 'discord.js'
import { describe, expect, it } from 'vitest'
import type { Asking, FormReply } from '../../src/bot/interactions/command.ts'
import { createHandlers } from '../../src/bot/interactions/handlers.ts'
import { mustBeHere } from '../../src/bot/interactions/same-server.ts'
import { buttons, choices } from '../../src/bot/registry/buttons.ts'
import { formReplies } from '../../src/bot/registry/form-replies.ts'
import type { Tipping } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

/**
 * Parts of messages that check their own caller, or belong to no record; anybody who adds a part here must consider
 * other servers.
 */
const NOT_COMPARED = [
  ...[
    'claim',
    'cash-out',
    'withdraw-confirm',
    'withdraw-cancel',
    'withdraw-code',
    'withdraw-end',
    'voucher-wallet',
    'voucher-lnurl',
    'batch-csv',
    'batch-print',
    'by-hand-code',
    'batch-end',
    'batch-end-sure',
    'batch-keep',
    'promises',
    'promise-revoke',
    'deposit-code',
    'own-offer',
  ],
  ...[
    'settings-toggle',
    'settings-open',
    'settings-mine',
    'settings-server',
    'tip-person',
    'drop-puzzle',
    'help-topic',
    'history-page',
    'history-file',
    'history-receipt',
    'keep',
    'keep-form',
    'wallet-link',
    'wallet-open',
    'pool-fill',
    'pool-fill-form',
    'pool-role',
    'receipt',
    'privacy-file',
    'privacy-forget',
    'privacy-delete',
    'privacy-cancel',
    'privacy-roles',
    'withdraw-form',
    'drop-form',
    'giveaway-form',
    'settings-changes',
    'settings-emoji',
    'settings-emoji-form',
    'settings-anonymous',
    'wallet-connect',
    'wallet-disconnect',
    'wallet-move',
    'server-wallet',
    'server-wallet-end',
    // These reopen a form for people who were refused.
    'drop-again',
    'giveaway-again',
    // Its command's channel is compared with this one.
    'tip-join',
  ],
]

const refused = { why: 'commandRefusals.stale-button' }

/** Returns a press in a server, with tipping whose record is in server 1 by default. */
function asking(guild: string | null, { home }: { home: string | null | undefined } = { home: '1' }) {
  const tipping: Tipping = new FakeTipping()
  tipping.guildOf = () => Promise.resolve(home)
  return { guild, tipping }
}

describe('the server of the record that a control names', () => {
  it('is checked for every control except those on the list of exceptions', () => {
    const all = [...buttons, ...choices, ...formReplies]
    const free = all.filter(({ names }) => names === 'own' || names === 'nothing').map(({ verb }) => verb)
    expect(free.toSorted()).toEqual(NOT_COMPARED.toSorted())
  })

  it('must be the server where the control is used, unless the record does not exist', async () => {
    await expect(mustBeHere('drop', { record: 'x', ...asking('2') })).rejects.toMatchObject(refused)
    await expect(mustBeHere('drop', { record: 'x', ...asking(null) })).rejects.toMatchObject(refused)
    await expect(mustBeHere('card', { record: 'x', ...asking('1', { home: null }) })).rejects.toMatchObject(refused)
    await mustBeHere('drop', { record: 'x', ...asking('1') })
    await mustBeHere('card', { record: 'x', ...asking(null, { home: null }) })
    await mustBeHere('drop', { record: 'x', ...asking('2', { home: undefined }) })
    await mustBeHere('own', { record: 'x', ...asking('2') })
  })

  it.each(formReplies.filter(({ names }) => names !== 'nothing').map((form) => [form.verb, form] as const))(
    'is checked before the form %s is read',
    async (verb, form: FormReply) => {
      let submitted = 0
      const reply: FormReply = {
        ...form,
        submit: async () => {
          submitted += 1
          return { say: { content: 'done' } }
        },
      }
      const { tipping } = asking('1')
      const handlerOf = createHandlers({
        ...{ commands: [], buttons: [], choices: [], formReplies: [reply] },
        ...{ homeGuildId: undefined, tipping, threadOf: () => undefined },
      })
      const sent = {
        isChatInputCommand: () => false,
        isModalSubmit: () => true,
        customId: `${verb}:x`,
        fields: { fields: new Map() },
      }
      const handler = await handlerOf(sent as unknown as ModalSubmitInteraction)
      await expect(handler.run({ ...asking('2'), tipping } as unknown as Asking)).rejects.toMatchObject(refused)
      expect(submitted).toBe(0)
      await handler.run({ ...asking('1'), tipping } as unknown as Asking)
      expect(submitted).toBe(1)
    },
  )
})
