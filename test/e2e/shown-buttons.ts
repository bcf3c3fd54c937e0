import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'

/** The newest of these messages that has a button with this verb. */
export function showing(messages: readonly MessageView[], verb: string): MessageView {
  return messages.findLast((message) => buttonOf(message, verb)) ?? fail(`nobody was shown ${verb}`)
}

/** What the first button with this verb names. */
export function buttonOf(message: MessageView, verb: string): string | undefined {
  const all = [...everyComponent(message.components)] as { custom_id?: string }[]
  return all.find(({ custom_id }) => custom_id?.startsWith(`${verb}:`))?.custom_id
}

export function fail(what: string): never {
  throw new Error(what)
}
