/** The permission bits that the emulator understands. */
export const permission = {
  administrator: 1n << 3n,
  manageChannels: 1n << 4n,
  manageGuild: 1n << 5n,
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  manageMessages: 1n << 13n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readMessageHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  useExternalEmojis: 1n << 18n,
  connect: 1n << 20n,
  manageRoles: 1n << 28n,
  useApplicationCommands: 1n << 31n,
  manageThreads: 1n << 34n,
  sendMessagesInThreads: 1n << 38n,
  useExternalApps: 1n << 50n,
} as const

/** Everybody's permissions in a new server. */
export const everyonesPermissions =
  permission.addReactions |
  permission.viewChannel |
  permission.sendMessages |
  permission.embedLinks |
  permission.attachFiles |
  permission.readMessageHistory |
  permission.useExternalEmojis |
  permission.connect |
  permission.useApplicationCommands |
  permission.sendMessagesInThreads |
  permission.useExternalApps

/** The permissions of the bot's own role in a new server. */
export const botsPermissions = everyonesPermissions | permission.manageMessages
