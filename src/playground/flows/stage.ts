import type { OptionValues } from '../../discord-emulator/people/option-values.ts'
import { everyComponent } from '../../discord-emulator/rules/components.ts'
import type { MessageView } from '../../discord-emulator/views.ts'
import type { Cast, PlaygroundWorld } from '../world.ts'
import { readQr } from './read-qr.ts'
import { textOf } from './text-of.ts'

/** The audience of a tour: a terminal, or nobody in a test. */
export interface Teller {
  chapter(title: string): void
  line(text: string): void
  /** Shows a QR picture that a person has received. */
  picture(name: string, png: Buffer): void
}

export const silentTeller: Teller = { chapter: () => undefined, line: () => undefined, picture: () => undefined }

/** An unexpected result of a flow. */
export class TourBroken extends Error {
  override name = 'TourBroken'
}

/** People who act in a world, seen from outside: what they type, what they see, and what the books then say. */
export class Stage {
  readonly world: PlaygroundWorld
  readonly teller: Teller
  readonly #home: keyof Cast['channels']

  /** `home` is the channel in which people act by default. */
  constructor(world: PlaygroundWorld, teller: Teller, home: keyof Cast['channels'] = 'tips') {
    this.world = world
    this.teller = teller
    this.#home = home
  }

  /** Returns a person's Discord id. */
  id(who: string): string {
    const id = this.world.cast.people[who] ?? this.world.emulator.world.findPerson(who)?.id
    if (!id) throw new TourBroken(`nobody here is called ${who}`)
    return id
  }

  channel(name: keyof Cast['channels'] = this.#home): string {
    return this.world.cast.channels[name]
  }

  /** Runs a command and waits for everything that follows from it. Returns what the person then sees. */
  async command(who: string, path: string, values: OptionValues = {}): Promise<MessageView[]> {
    const typed = Object.entries(values).map(([name, value]) => `${name}: ${this.#spoken(value)}`)
    this.teller.line(`${who} › /${path} ${typed.join(' ')}`.trimEnd())
    const handle = this.person(who).run(this.channel(), path, values)
    const view = await handle.answered()
    if (view.failure) throw new TourBroken(`/${path} of ${who}: ${view.failure}`)
    await this.world.settled()
    return this.#tell(handle.messages())
  }

  /** Presses the first button with the words `label`, on a message that the person sees. */
  async press(who: string, message: MessageView, label: string): Promise<MessageView[]> {
    const button = buttonsOf(message).find((each) => each.label === label)
    if (!button) throw new TourBroken(`the message has no button "${label}"`)
    this.teller.line(`${who} › [${label}]`)
    const handle = this.person(who).press(message.channelId, message.id, button.customId)
    const view = await handle.answered()
    if (view.failure) throw new TourBroken(`[${label}] of ${who}: ${view.failure}`)
    await this.world.settled()
    return this.#tell(handle.messages())
  }

  /**
   * Scans the QR code in a message's picture, like a phone. Drops the scheme `lightning:`, which only opens the wallet.
   */
  async scan(message: MessageView, name: string): Promise<string> {
    const picture = message.attachments.find(({ contentType }) => contentType === 'image/png')
    if (!picture) throw new TourBroken('the message has no QR picture')
    const png = Buffer.from(await (await fetch(picture.url)).arrayBuffer())
    this.teller.picture(name, png)
    return readQr(png).replace(/^lightning:/i, '')
  }

  /**
   * Pays `request` from the phone. Waits until the service has booked the payment and informed the bot, and until
   * everything that follows has happened.
   */
  async pay(request: string): Promise<void> {
    this.teller.line(`📱 pays ${request.slice(0, 24)}…`)
    const before = await this.#atTheNode()
    await this.world.phone.pay(request)
    // The node has the payment immediately. The service reads it from the node, and a server needs a moment to store
    // it.
    await this.until('the payment was booked', async () => (await this.#atTheNode()) !== before)
    await this.until('the payment was heard of', async () =>
      (await this.world.waiting()).every(({ what }) => what !== 'callback'),
    )
    await this.world.settled()
  }

  person(who: string) {
    return this.world.emulator.as(this.id(who))
  }

  /** Waits until the person sees a matching message in the channel. Resolves to the newest match. */
  async sees(who: string, pattern: RegExp): Promise<MessageView> {
    let found: MessageView | undefined
    await this.until(`${who} sees ${pattern}`, async () => {
      found = this.#visible(who).findLast((message) => pattern.test(textOf(message)))
      return found !== undefined
    })
    this.#tell([found as MessageView])
    return found as MessageView
  }

  /** Resolves to the balance, in sats, of the account with this kind and name; 0 if there is no such account. */
  async holds(side: 'bot' | 'service', kind: string, name: string): Promise<number> {
    const book = (await this.world.books()).find((each) => each.side === side)
    const account = book?.accounts.find((each) => each.kind === kind && each.name === name)
    return Number(account?.balance ?? 0n) / 1_000
  }

  /** Resolves to the balance of the node's account in the service's book, in msats. */
  async #atTheNode(): Promise<bigint | undefined> {
    return (await this.world.books()).find(({ side }) => side === 'service')?.totals.node
  }

  /** Resolves to all that a person has, in sats: the balance at the bot and the wallet at the service. */
  async wealth(name: string): Promise<number> {
    return (await this.holds('bot', 'member', name)) + (await this.holds('service', 'wallet', name))
  }

  mustBe(what: string, actual: unknown, expected: unknown): void {
    if (actual !== expected) throw new TourBroken(`${what}: ${String(actual)} instead of ${String(expected)}`)
    this.teller.line(`✓ ${what}: ${String(expected)}`)
  }

  mustSay(messages: readonly MessageView[], pattern: RegExp): MessageView {
    const found = messages.find((message) => pattern.test(textOf(message)))
    if (!found) throw new TourBroken(`nobody said ${pattern}, but: ${messages.map(textOf).join(' / ')}`)
    return found
  }

  /** Checks a condition after every event in the world, until it is true. The limit only ends a tour that is stuck. */
  async until(what: string, holds: () => Promise<boolean>, limitMs = 20_000): Promise<void> {
    const stuck = AbortSignal.timeout(limitMs)
    while (!(await holds())) {
      if (stuck.aborted) throw new TourBroken(`it never happened that ${what}`)
      await this.#somethingHappens()
    }
  }

  #somethingHappens(): Promise<void> {
    const { emulator, wire } = this.world
    return new Promise((resolve) => {
      const done = () => {
        for (const stop of stops) stop()
        resolve()
      }
      // A quiet world is also checked again, because the event may have happened between the check and the
      // subscription.
      const pulse = AbortSignal.timeout(100)
      pulse.addEventListener('abort', done, { once: true })
      const stops = [emulator.subscribe(done), wire.subscribe(done), () => pulse.removeEventListener('abort', done)]
    })
  }

  #visible(who: string): MessageView[] {
    const person = this.person(who)
    const direct = person.directMessages().flatMap((channel) => person.conversation(channel.id))
    return [...person.conversation(this.channel()), ...direct]
  }

  #tell(messages: MessageView[]): MessageView[] {
    for (const message of messages) {
      const text = plain(textOf(message))
      const mark = message.ephemeral ? '(only you) ' : ''
      if (text !== '') this.teller.line(`Satchel › ${mark}${text.replaceAll('\n', '\n            ')}`)
    }
    return messages
  }

  #spoken(value: unknown): string {
    const person = this.world.emulator.world.people().find(({ id }) => id === value)
    return person ? `@${person.username}` : String(value)
  }
}

/** Removes the marks that Discord turns into formatting. */
function plain(text: string): string {
  return text
    .replace(/^(?:-# |#{1,3} )/gm, '')
    .replaceAll('**', '')
    .replaceAll('`', '')
}

function buttonsOf(message: MessageView): { label: string; customId: string }[] {
  const all = [...everyComponent(message.components)] as { label?: string; custom_id?: string }[]
  return all.flatMap(({ label, custom_id }) => (label && custom_id ? [{ label, customId: custom_id }] : []))
}
