/** What a scripted provider says. */
export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export function ok(data: Record<string, unknown>): Answer {
  return { status: 200, body: { success: true, message: 'ok', data } }
}

export function refusal(status: number, message: string, code?: string): Answer {
  return { status, body: { success: false, message, ...(code === undefined ? {} : { code }) } }
}
