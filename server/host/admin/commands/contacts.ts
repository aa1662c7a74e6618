import { argument, type Command } from "../command.ts";

export const contacts: readonly Command[] = [
  {
    name: "contacts erase",
    help: "erase a person from all audiences, by wallet address or email",
    positionals: ["ADDRESS|EMAIL"],
    isPersonal: true,
    run: async ({ database }, input) => ({
      list: await (await database()).query(
        `delete from audience_contact where address = lower($1) or lower(email) = lower($1)
         returning id::float8 as id, audience_id::float8 as "audienceId"`,
        [argument(input, 0)],
      ),
    }),
  },
];
