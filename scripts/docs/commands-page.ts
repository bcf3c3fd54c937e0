import { commandList, menuList } from '../../src/bot/bot.ts'

type Command = ReturnType<typeof commandList>[number]

/** The description of a command's answer, by who sees it besides the caller. */
const SEEN_BY = { public: 'public answer', private: '', update: 'changes its message' }

/** Returns `docs/COMMANDS.md`, made from the commands that the bot registers. */
export function commandsPage(): string {
  const commands = commandList()
  return [
    '# Commands',
    '',
    '<!-- Made by `npm run docs` from the commands that the bot registers. Change those, not this page. -->',
    '',
    'Amounts are in sats: `500`, `1,000`, `2.5k`, `all`, `half`, `25%`; or add a unit, as in `0.001 btc`. Options in brackets are optional; Discord',
    'explains each as you type. Commands work in servers and in direct messages with the bot, and only you see the answer, unless the note says otherwise.',
    '',
    ...MODERATORS,
    '',
    '| Command | What it does | Note |',
    '|---|---|---|',
    ...commands.filter(({ where }) => where !== 'home').map(describe),
    ...menuList().map(({ name, on }) => `| **${name}**, ${MENU[on]} | Opens a form for an amount and a message. | |`),
    '| a ⚡ reaction | Tips the author of the message, once for each message. | only after you have switched it on in `/settings` |',
    '| a server’s emoji | Tips the author of the message the amount that the server has set for this emoji. | only up to the daily sum that you allow in `/settings` |',
    '',
  ].join('\n')
}

const MENU = {
  message: "in a message's menu under Apps (on a phone: hold the message)",
  member: "in a member's menu under Apps",
}

const MODERATORS = [
  'Moderators are the members with the permission Manage Server, and the holders of roles that these members choose in `/settings`. Discord hides',
  'commands *for moderators* from everybody without Manage Server. To show such a command to a role, allow it in Discord, for the bot, under *Server',
  'Settings → Integrations*. When somebody uses such a command, the bot also checks whether they are a moderator. `/admin` exists only in the operators’',
  'own server (`HOME_GUILD_ID`), where Discord lists its subcommands; `/faucet` exists only where the sats are test sats. If you have installed the bot',
  'for yourself, you can use `/tip`, `/balance`, `/deposit`, `/withdraw`, `/wallet`, `/claim` and both ⚡ menus in every conversation and server, even if',
  'the bot is not a member there.',
]

/** The places where a command can be used, as text; empty if it works everywhere. */
const PLACES = { anywhere: '', server: 'in a server', home: "in the operators' server" }

function describe({ name, description, answer, where, moderators, options }: Command): string {
  const usage = [`/${name}`, ...options.map((option) => (option.required ? option.name : `[${option.name}]`))].join(' ')
  const notes = [moderators ? 'for moderators' : '', PLACES[where], SEEN_BY[answer]].filter((note) => note !== '')
  return `| \`${usage}\` | ${description}. | ${notes.join(', ')} |`
}
