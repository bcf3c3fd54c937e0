import { commandList, menuList } from '../../src/bot/bot.ts'

const SEEN_BY = { public: 'everybody in the channel', private: 'you alone', update: 'whoever sees the message' }

/** `docs/COMMANDS.md`, made from the commands that the bot registers. */
export function commandsPage(): string {
  const commands = commandList()
  const families = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '')
  return [
    '# Commands',
    '',
    '<!-- Made by `npm run docs` from the commands that the bot registers. Change those, not this page. -->',
    '',
    'Amounts are sats unless a unit says otherwise: `500`, `1,000`, `2.5k`, `0.001 btc`, `all`, `half`. Options in brackets may be left out.',
    'Refusals and errors are always seen by you alone. Discord shows each of these by its name in your own language.',
    '',
    ...MODERATORS,
    ...[...families].flatMap(([family, members]) => ['', `## /${family}`, ...members.flatMap(describe)]),
    '',
    '## In menus',
    '',
    ...menuList().map(
      ({ name, on }) => `- **${name}**, ${MENU[on]}: asks with a form for an amount and a word with it.`,
    ),
    '',
    '## With a reaction',
    '',
    'A ⚡ reaction tips whoever wrote the message, for those who have switched that on in `/settings`: one tip for each message.',
    '',
  ].join('\n')
}

const MENU = {
  message: "in a message's menu under Apps (on a phone: hold the message)",
  member: "in a member's menu under Apps",
}

const MODERATORS = [
  'Moderators are those who may manage the server, and the holders of the roles that these choose in `/settings`. Commands',
  'marked *for moderators* are registered with the default permission Manage Server: Discord shows them to nobody else by',
  'itself, and the bot asks again whenever one is used. So that a chosen role without Manage Server sees them too, allow it in',
  "Discord: Server Settings, Integrations, the bot, then each command's roles. `/admin` is registered in the operators' own",
  'server (`HOME_GUILD_ID`) and answers its administrators alone.',
]

const PLACES = {
  server: 'on a server',
  anywhere: 'on a server, or in a private conversation with the bot',
  home: "in the operators' own server, by its administrators",
}

function describe({
  name,
  description,
  answer,
  where,
  moderators,
  options,
}: ReturnType<typeof commandList>[number]): string[] {
  const usage = options.map((option) => (option.required ? option.name : `[${option.name}]`)).join(' ')
  const place = `${PLACES[where]}${moderators ? ', *for moderators*' : ''}`
  return [
    '',
    `**\`/${name}${usage === '' ? '' : ` ${usage}`}\`**  `,
    `${description}. Used ${place}; the answer is seen by ${SEEN_BY[answer]}.`,
    ...(options.length === 0 ? [] : ['', '| Option | |', '|---|---|']),
    ...options.map((option) => `| \`${option.name}\` | ${option.description.replaceAll('|', '\\|')} |`),
  ]
}
