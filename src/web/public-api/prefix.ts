/** Where the public API begins. */
export const PREFIX = '/api/v1'
