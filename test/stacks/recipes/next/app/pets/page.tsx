import { Pets } from "../../generated/client";

export const dynamic = "force-dynamic";

export default async function Page() {
  const { pet } = await new Pets(`http://127.0.0.1:${process.env["PORT"]}`).getPet({ id: 1 });
  return <p>{pet.name}</p>;
}
