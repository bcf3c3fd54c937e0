/** A scripted provider's answer. */
export interface ScriptedAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export function ok(data: Record<string, unknown>): ScriptedAnswer {
  return { status: 200, body: { success: true, message: 'ok', data } }
}

export function refusal(status: number, message: string, code?: string): ScriptedAnswer {
  return { status, body: { success: false, message, ...(code === undefined ? {} : { code }) } }
}
