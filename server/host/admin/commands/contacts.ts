import { argument, type Command, confirm, confirmOption, counted } from "../command.ts";

const isPerson = "address = lower($1) or lower(email) = lower($1)";

export const contacts: readonly Command[] = [
  {
    name: "contacts erase",
    help: "erase a person from all audiences, by wallet address or email",
    positionals: ["ADDRESS|EMAIL"],
    options: confirmOption,
    isPersonal: true,
    run: async (context, input) => {
      const queries = await context.database();
      const person = argument(input, 0);
      const [found] = await queries.query<{ contacts: number }>(
        `select count(*)::int as contacts from audience_contact where ${isPerson}`,
        [person],
      );
      const contacts = found?.contacts ?? 0;
      if (contacts > 0)
        await confirm(context, input, {
          consequence: `this person will be erased from ${counted(contacts, "audiences")}`,
          word: "erase",
        });
      return {
        list: await queries.query(
          `delete from audience_contact where ${isPerson}
           returning id::float8 as id, audience_id::float8 as "audienceId"`,
          [person],
        ),
      };
    },
  },
];
