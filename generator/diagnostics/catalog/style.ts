/** Style and evolution: RK700 to RK799. RK700 to RK709 are for formatting; from RK710 on each is a rule with a switch of its own. */
export const style = {
  "not-canonical": {
    code: "RK700",
    severity: "error",
    message: '"{path}" is not formatted.',
    advice: "Run ridlkit format, or add --diff to see what it would change.",
  },
  "format-loses": {
    code: "RK701",
    severity: "error",
    message: 'Formatting would lose "{text}", which webrpc overlooks here.',
    advice: "Remove it, or write what it was meant to be.",
  },
  "format-changes": {
    code: "RK702",
    severity: "error",
    message:
      'Formatting would change the comments of this in webrpc\'s IR, since a string on its line holds "#".',
    advice: 'Write the string without "#", or the item on a line of its own.',
  },
  "format-extension": {
    code: "RK703",
    severity: "error",
    message: '"{path}" is no .ridl file, and only those are formatted.',
  },
} as const;
