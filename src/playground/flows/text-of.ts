import { textsIn } from '../../discord-emulator/rules/components.ts'
import type { MessageView } from '../../discord-emulator/views.ts'

interface Embed {
  readonly title?: string
  readonly description?: string
  readonly fields?: readonly { readonly name: string; readonly value: string }[]
  readonly footer?: { readonly text: string }
}

/** Returns a message's content as one text, with names instead of ids. */
export function textOf(message: MessageView): string {
  const parts = [message.content, ...textsIn(message.components)]
  for (const { title, description, fields = [], footer } of message.embeds as readonly Embed[]) {
    parts.push(
      title ?? '',
      description ?? '',
      ...fields.map(({ name, value }) => `${name}: ${value}`),
      footer?.text ?? '',
    )
  }
  return parts
    .filter((part) => part.trim() !== '')
    .join('\n')
    .replace(/<@!?(\d+)>/g, (whole, id: string) => (message.names.people[id] ? `@${message.names.people[id]}` : whole))
    .replace(/<(\/[^:>]+):\d+>/g, '$1')
    .replace(/<t:(\d+)(?::\w)?>/g, (_, seconds: string) => new Date(Number(seconds) * 1_000).toISOString().slice(0, 16))
}
