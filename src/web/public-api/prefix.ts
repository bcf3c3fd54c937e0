/** The path prefix of the public API. */
export const PREFIX = '/api/v1'
