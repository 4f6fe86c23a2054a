class Companies:
    async def behind(self, domain: str) -> dict[str, str]:
        return {"domain": domain}
