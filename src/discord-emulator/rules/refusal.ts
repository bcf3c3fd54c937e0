/** A fault in a request's body, with its path and Discord's code and message. */
export interface FormFault {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

/**
 * Thrown for a request that Discord would refuse, with the HTTP status, Discord's own code
 * (https://docs.discord.com/developers/topics/opcodes-and-status-codes) and its message.
 */
export class DiscordRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly faults: readonly FormFault[]

  constructor(status: number, code: number, message: string, faults: readonly FormFault[] = []) {
    super(message)
    this.name = 'DiscordRefusal'
    this.status = status
    this.code = code
    this.faults = faults
  }

  /**
   * Returns the body of the answer. In `errors`, the steps of a fault's path are nested, and the last one contains
   * `_errors`.
   */
  body(): Record<string, unknown> {
    const body: Record<string, unknown> = { message: this.message, code: this.code }
    if (this.status === 429) Object.assign(body, { retry_after: 20, global: false })
    if (this.faults.length > 0) body.errors = nest(this.faults)
    return body
  }
}

function nest(faults: readonly FormFault[]): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const { path, code, message } of faults) {
    let node = root
    for (const step of path) {
      const key = String(step)
      node[key] ??= {}
      node = node[key] as Record<string, unknown>
    }
    node._errors = [...((node._errors as unknown[] | undefined) ?? []), { code, message }]
  }
  return root
}

export const unauthorized = () => new DiscordRefusal(401, 0, '401: Unauthorized')
export const notFound = () => new DiscordRefusal(404, 0, '404: Not Found')
export const unknownApplication = () => new DiscordRefusal(404, 10002, 'Unknown Application')
export const unknownChannel = () => new DiscordRefusal(404, 10003, 'Unknown Channel')
export const unknownGuild = () => new DiscordRefusal(404, 10004, 'Unknown Guild')
export const unknownMember = () => new DiscordRefusal(404, 10007, 'Unknown Member')
export const unknownMessage = () => new DiscordRefusal(404, 10008, 'Unknown Message')
export const unknownRole = () => new DiscordRefusal(404, 10011, 'Unknown Role')
export const unknownUser = () => new DiscordRefusal(404, 10013, 'Unknown User')
export const unknownEmoji = () => new DiscordRefusal(400, 10014, 'Unknown Emoji')
export const unknownWebhook = () => new DiscordRefusal(404, 10015, 'Unknown Webhook')
export const unknownInteraction = () => new DiscordRefusal(404, 10062, 'Unknown interaction')
export const unknownCommand = () => new DiscordRefusal(404, 10063, 'Unknown application command')
export const tooManyCommands = (max: number) =>
  new DiscordRefusal(400, 30032, `Maximum number of application commands reached (${max}).`)
export const requestTooLarge = () => new DiscordRefusal(413, 40005, 'Request entity too large')
export const tooManyOldEdits = () =>
  new DiscordRefusal(429, 30046, 'Maximum number of edits to messages older than 1 hour reached. Try again later.')
export const forumChannel = () => new DiscordRefusal(400, 40058, 'Cannot send a message in a forum channel')
export const alreadyAcknowledged = () => new DiscordRefusal(400, 40060, 'Interaction has already been acknowledged.')
export const tooManyFollowUps = () =>
  new DiscordRefusal(400, 40094, 'This interaction has hit the maximum number of follow up messages')
export const missingAccess = () => new DiscordRefusal(403, 50001, 'Missing Access')
export const notYourMessage = () => new DiscordRefusal(403, 50005, 'Cannot edit a message authored by another user')
export const emptyMessage = () => new DiscordRefusal(400, 50006, 'Cannot send an empty message')
export const cannotDm = () => new DiscordRefusal(403, 50007, 'Cannot send messages to this user')
export const missingPermissions = () => new DiscordRefusal(403, 50013, 'Missing Permissions')
export const invalidToken = () => new DiscordRefusal(401, 50027, 'Invalid Webhook Token')
export const archivedThread = () =>
  new DiscordRefusal(400, 50083, 'Tried to perform an operation on an archived thread')
export const noMutualGuilds = () =>
  new DiscordRefusal(403, 50278, 'Cannot send messages to this user due to having no mutual guilds')
export const cannotReply = () =>
  new DiscordRefusal(403, 160002, 'Cannot reply without permission to read message history')
export const lockedThread = () => new DiscordRefusal(400, 160005, 'The thread is locked')
export const blockedByAutoMod = () => new DiscordRefusal(400, 200000, 'Message was blocked by automatic moderation')
export const invalidForm = (faults: readonly FormFault[]) => new DiscordRefusal(400, 50035, 'Invalid Form Body', faults)
export const invalidJson = () => new DiscordRefusal(400, 50109, 'The request body contains invalid JSON.')
