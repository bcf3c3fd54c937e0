import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ContainerBuilder,
  type Interaction,
  LabelBuilder,
  MediaGalleryBuilder,
  MediaGalleryItemBuilder,
  MessageFlags,
  ModalBuilder,
  SectionBuilder,
  SeparatorBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'
import { onTestFinished } from 'vitest'
import { makeRequest } from '../../src/bot/transport/make-request.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { encodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { qrPng } from '../../src/lib/lightning/qr.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { PageWorld } from '../../src/playground/page-server/page-world.ts'
import { createPageServer } from '../../src/playground/page-server.ts'
import type { Part, Phone, WireLine } from '../../src/playground/world.ts'
import { register, startBot, startWorld } from '../discord-emulator/fixture.ts'

/** The commands of these tests' bot: one of each kind that the page can draw. */
const commands = [
  { name: 'whisper', description: 'Says something to you alone', type: 1 },
  { name: 'picture', description: 'Shows a QR code', type: 1 },
  { name: 'silence', description: 'Never answers', type: 1 },
  { name: 'slow', description: 'Thinks before it answers', type: 1 },
  { name: 'board', description: 'Buttons and menus', type: 1 },
  { name: 'panel', description: 'A message made of components', type: 1 },
  {
    name: 'order',
    description: 'Options of every kind',
    type: 1,
    options: [
      { type: 6, name: 'who', description: 'A member', required: true },
      { type: 4, name: 'count', description: 'How many', required: true, min_value: 1, max_value: 9 },
      { type: 3, name: 'dish', description: 'What to eat', autocomplete: true },
      { type: 3, name: 'size', description: 'How large', choices: [{ name: 'Small', value: 's' }] },
      { type: 5, name: 'hurry', description: 'Whether it has to be quick' },
    ],
  },
  {
    name: 'menu',
    description: 'One dish',
    type: 1,
    options: [{ type: 3, name: 'dish', description: 'What to eat', required: true, autocomplete: true }],
  },
  { name: '⚡ Praise', type: 3 },
  { name: '⚡ Greet', type: 2 },
]

/**
 * Starts a world with the real emulator and a scripted bot; `doubles` contains stand-ins for the wallet and the books.
 */
export async function startPage() {
  const started = await startWorld()
  await register(started, commands)
  const { restUrl: api, cdnUrl: cdn } = started.emulator
  const client = await startBot(started, { rest: { api, cdn, retries: 0, makeRequest } })
  const actions: string[] = []
  client.on('interactionCreate', (interaction) => void answer(interaction, actions))
  const doubles = createDoubles()
  const world: PageWorld = {
    emulator: started.emulator,
    custody: 'balances',
    cast: { server: started.serverId, channels: started.channels, people: { ...started.people } },
    ownWallets: async () => ({
      wallets: [
        { person: started.people.alice, balance: 50_000n, connection: 'nostr+walletconnect://…', connected: false },
      ],
      gifts: [],
    }),
    ...doubles.parts,
  }
  const page = await createPageServer({ world, port: 0, logger: silentLogger, clock: systemClock })
  onTestFinished(() => page.close())
  return { ...started, ...doubles, page, client, actions }
}

export type StartedPage = Awaited<ReturnType<typeof startPage>>

async function answer(interaction: Interaction, actions: string[]): Promise<void> {
  if (interaction.isAutocomplete()) {
    const dishes = ['Pasta', 'Pizza', 'Soup'].filter((dish) => dish.startsWith(interaction.options.getFocused()))
    await interaction.respond(dishes.map((name) => ({ name, value: name.toLowerCase() })))
  } else if (interaction.isModalSubmit()) {
    actions.push(`form ${interaction.fields.getTextInputValue('why')}`)
    await interaction.reply(`Because: ${interaction.fields.getTextInputValue('why')}`)
  } else if (interaction.isStringSelectMenu()) {
    actions.push(`chose ${interaction.values.join(' ')}`)
    await interaction.reply({ content: `You chose ${interaction.values.join(' and ')}`, flags: MessageFlags.Ephemeral })
  } else if (interaction.isButton()) {
    actions.push(`pressed ${interaction.customId}`)
    if (interaction.customId === 'ask') await interaction.showModal(form())
    else if (interaction.customId === 'panel')
      await interaction.update({ components: [new TextDisplayBuilder({ content: 'Another text.' })] })
    else if (interaction.customId === 'press') await interaction.update({ content: 'Pressed.', components: [] })
  } else if (interaction.isContextMenuCommand()) {
    actions.push(`menu ${interaction.commandName} ${interaction.targetId}`)
    await interaction.reply({ content: 'Done.', flags: MessageFlags.Ephemeral })
  } else if (interaction.isChatInputCommand()) {
    actions.push(`used ${interaction.commandName}`)
    await answerCommand(interaction.commandName, interaction)
  }
}

async function answerCommand(name: string, interaction: Interaction): Promise<void> {
  if (!interaction.isChatInputCommand()) return
  const secret = { content: `A secret for ${interaction.user.username}`, flags: MessageFlags.Ephemeral } as const
  if (name === 'whisper') await interaction.reply(secret)
  if (name === 'slow') {
    await interaction.deferReply()
    systemClock.after(700, () => void interaction.editReply('It took a while.'))
  }
  if (name === 'picture') {
    const attachment = await qrPng(`lightning:${invoice}`)
    await interaction.reply({ files: [{ name: 'code.png', attachment, description: 'A QR code' }] })
  }
  if (name === 'panel') {
    const attachment = await qrPng('nothing to pay')
    const flags = MessageFlags.IsComponentsV2
    await interaction.reply({ flags, components: [panel()], files: [{ name: 'wide.png', attachment }] })
  }
  if (name === 'board') await interaction.reply({ content: 'The board', components: board() })
  if (name === 'order' || name === 'menu') {
    const { options } = interaction
    const values = options.data.map((option) => `${option.name}=${option.value}`).join(' ')
    await interaction.reply(`Ordered: ${values}`)
  }
}

function board() {
  const buttons = [
    new ButtonBuilder({ customId: 'press', label: 'Press me', style: ButtonStyle.Primary }),
    new ButtonBuilder({ customId: 'ask', label: 'Ask me', style: ButtonStyle.Success }),
    new ButtonBuilder({ customId: 'dead', label: 'Nobody answers', style: ButtonStyle.Danger }),
    new ButtonBuilder({ url: 'https://example.com/', label: 'Elsewhere', style: ButtonStyle.Link }),
  ]
  const menu = new StringSelectMenuBuilder({ customId: 'menu', placeholder: 'Choose a colour' }).addOptions(
    { label: 'Orange', value: 'orange', description: 'Like a coin' },
    { label: 'Blue', value: 'blue' },
  )
  return [
    new ActionRowBuilder<ButtonBuilder>().addComponents(buttons),
    new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu),
  ]
}

function panel(): ContainerBuilder {
  const text = (content: string) => new TextDisplayBuilder({ content })
  const button = new ButtonBuilder({ customId: 'panel', label: 'Press me', style: ButtonStyle.Primary })
  const picture = new MediaGalleryItemBuilder({ media: { url: 'attachment://wide.png' }, description: 'A picture' })
  return new ContainerBuilder({ accent_color: 0xf7931a })
    .addTextDisplayComponents(text('## A panel'))
    .addSectionComponents(
      new SectionBuilder().addTextDisplayComponents(text('With **text**')).setButtonAccessory(button),
    )
    .addSeparatorComponents(new SeparatorBuilder())
    .addMediaGalleryComponents(new MediaGalleryBuilder().addItems(picture))
}

function form(): ModalBuilder {
  const input = new TextInputBuilder({ customId: 'why', style: TextInputStyle.Paragraph, minLength: 3 })
  return new ModalBuilder({ customId: 'reason', title: 'A reason' }).addLabelComponents(
    new LabelBuilder().setLabel('Why?').setDescription('In a few words').setTextInputComponent(input),
  )
}

/** An invoice for 2,500 sats that expired long ago. */
export const invoice = encodeInvoice({
  network: 'regtest',
  amount: sats(2_500),
  description: 'One espresso',
  paymentHash: '01'.repeat(32),
  paymentSecret: '02'.repeat(32),
  createdAt: new Date('2020-01-01T00:00:00Z'),
  expiresInSeconds: 3_600,
  privateKey: '03'.repeat(32),
})

/** Returns a part that only reports whether it runs, and records what is done to it. */
function part(name: string, asked: string[]): Part & { running: boolean } {
  return {
    running: true,
    async kill() {
      asked.push(`kill ${name}`)
      this.running = false
    },
    async start() {
      asked.push(`start ${name}`)
      this.running = true
    },
  }
}

/** Returns the part as a bot in which people can choose a language, and their choices. */
function withLanguages<P>(part: P) {
  const languages = new Map<string, string>()
  const languageOf = (member: string) => languages.get(member)
  return { languages, bot: { ...part, tipping: { preferences: { languageOf } } } }
}

/** Creates a wallet that records its requests, the wallet's parts, and books with amounts beyond 2^53. */
function createDoubles() {
  const asked: string[] = []
  const listeners = new Set<(line: WireLine) => void>()
  const { bot, languages } = withLanguages(part('bot', asked))
  const phone: Phone = {
    wallet: async () => ({ balance: 9_007_199_254_740_993n, pubkey: '02aa' }),
    async pay(request, amount, comment) {
      if (request === 'broken') throw new Error('The wallet cannot find a way there.')
      asked.push(`pay ${request} ${amount} ${comment}`)
      return { preimage: 'ab'.repeat(32), paymentHash: 'cd'.repeat(32) }
    },
    claim: async () => ({ invoice, paymentHash: 'cd'.repeat(32), amount: 5_000n }),
    invoice: async (amount) => ({ invoice: `invoice of ${amount}`, paymentHash: 'cd'.repeat(32) }),
    history: async () => [],
    misbehave: async (next, how) =>
      void asked.push(
        `misbehave ${next} ${how?.times} ${how?.delayMs === undefined ? 'until released' : `for ${how.delayMs} ms`}`,
      ),
    release: async (outcome) => {
      asked.push(`release ${outcome}`)
      return 0
    },
    loseCallbacks: (count) => void asked.push(`lose ${count}`),
  }
  const parts = {
    service: {
      ...part('service', asked),
      async walletLink(gamertag: string) {
        if (gamertag === 'carol') throw new Error('carol has no wallet here yet.')
        return `http://wallet.test/${gamertag}`
      },
    },
    bot,
    phone,
    books: async () => [
      {
        side: 'bot' as const,
        holds: true,
        faults: [],
        accounts: [{ kind: 'member', owner: '1', name: 'alice', balance: 9_007_199_254_740_993n }],
        entries: [],
        totals: { member: 9_007_199_254_740_993n },
      },
    ],
    waiting: async () => [{ what: 'An open deposit', since: '2026-01-01T00:00:00.000Z', detail: '10 sats' }],
    wire: {
      recent: () => [],
      subscribe(listener: (line: WireLine) => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  }
  return {
    asked,
    parts,
    languages,
    tellWire: (line: WireLine) => [...listeners].forEach((listener) => void listener(line)),
  }
}
