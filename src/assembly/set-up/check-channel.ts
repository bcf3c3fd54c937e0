import type { Secret } from '../../config/config.ts'

/**
 * Tests whether the bot may write in a channel, by showing there that the bot is typing. `apiUrl` is Discord's API
 * address without the version. Resolves to the problem and advice as text; undefined if the bot may write. Never
 * throws.
 */
export async function checkChannel(channel: string, token: Secret, apiUrl: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${apiUrl}/v10/channels/${channel}/typing`, {
      method: 'POST',
      headers: { authorization: `Bot ${token.reveal()}` },
      signal: AbortSignal.timeout(15_000),
    })
    if (answer.ok) return undefined
    return WHY[answer.status]?.(channel) ?? `Discord answered with status ${answer.status}. Try again in a minute.`
  } catch {
    return `Discord could not be asked about the channel ${channel}. Check the connection and try again.`
  }
}

const WHY: Readonly<Record<number, (channel: string) => string>> = {
  400: (channel) =>
    `${channel} is not a text channel (OPERATORS_CHANNEL_ID). Right-click one with text, Copy Channel ID.`,
  401: () => 'Discord does not know the token of the bot any more (DISCORD_TOKEN). Set a new one first.',
  403: (channel) =>
    `The bot may not write in the channel ${channel} (OPERATORS_CHANNEL_ID). Let it view the channel and send messages there.`,
  404: (channel) =>
    `Discord knows no channel ${channel} (OPERATORS_CHANNEL_ID). Right-click the channel, Copy Channel ID, and send it again.`,
}
