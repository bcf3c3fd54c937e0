import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'

/** Returns the newest of these messages that has a button with this verb. */
export function showing(messages: readonly MessageView[], verb: string): MessageView {
  return messages.findLast((message) => buttonOf(message, verb)) ?? fail(`nobody was shown ${verb}`)
}

/** Returns the custom id of the first button with this verb; undefined if there is none. */
export function buttonOf(message: MessageView, verb: string): string | undefined {
  const all = [...everyComponent(message.components)] as { custom_id?: string }[]
  return all.find(({ custom_id }) => custom_id?.startsWith(`${verb}:`))?.custom_id
}

export function fail(what: string): never {
  throw new Error(what)
}

/** Returns each account's gain, in sats; omits unchanged accounts. */
export function differences(
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): Record<string, number> {
  const accounts = [...new Set([...before.keys(), ...after.keys()])]
  const moved = accounts.map((account) => [
    account,
    Number((after.get(account) ?? 0n) - (before.get(account) ?? 0n)) / 1_000,
  ])
  return Object.fromEntries(moved.filter(([, sum]) => sum !== 0))
}
