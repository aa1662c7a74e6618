import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { getPet } from "../generated/client";

function PetName({ id }: { id: number }) {
  const [name, setName] = useState("…");
  useEffect(() => {
    getPet({ url: location.origin }, { id }).then(({ pet }) => setName(pet.name));
  }, [id]);
  return <p>{name}</p>;
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <PetName id={1} />
    </StrictMode>,
  );
