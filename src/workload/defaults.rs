//! Bodies that very many origins share: what common systems serve when nobody changes it.
//!
//! Written for this project after the habits of such systems. Must not know: anything else.

/// The bodies 0, 1, 2, …: the most popular first.
pub(crate) const DEFAULTS: &[&str] = &[
    "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n",
    "User-agent: *\nDisallow:\n",
    "",
    "User-agent: *\nDisallow: /\n",
    "User-agent: *\nAllow: /\n",
    "# plugin: begin\nUser-agent: *\nDisallow:\n\n\
     Sitemap: https://www.example.com/sitemap_index.xml\n# plugin: end\n",
    "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\n\
     Sitemap: https://www.example.com/wp-sitemap.xml\n",
    "# made by the shop\nUser-agent: *\nDisallow: /cart\nDisallow: /checkout\nDisallow: /account\n\
     Disallow: /wishlist\nDisallow: /*?sort=\nDisallow: /*&sort=\nDisallow: /collections/*filter*\n\
     Disallow: /search\n\nUser-agent: AhrefsBot\nCrawl-delay: 10\nDisallow: /checkout\n\
     Disallow: /search\n\nSitemap: https://shop.example.com/sitemap.xml\n",
    "User-agent: *\nAllow: /includes/*.css$\nAllow: /includes/*.js$\nDisallow: /includes/\n\
     Disallow: /admin/\nDisallow: /node/edit/\nDisallow: /search/\nDisallow: /user/\n\
     Disallow: /register\nDisallow: /login\n",
    "User-agent: *\r\nDisallow: /admin/\r\nDisallow: /cache/\r\nDisallow: /includes/\r\n\
     Disallow: /plugins/\r\nDisallow: /scripts/\r\nDisallow: /temp/\r\nDisallow: /tmp/\r\n",
    "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: ClaudeBot\nUser-agent: Google-Extended\n\
     User-agent: Bytespider\nUser-agent: Amazonbot\nUser-agent: Applebot-Extended\nUser-agent: meta-externalagent\nDisallow: /\n\n\
     User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n",
    "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\nDisallow: /private/\n",
    "User-agent: *\nCrawl-delay: 10\n",
    "User-agent: *\nAllow: /\nDisallow: /*?ref=\nDisallow: /*?session=\nDisallow: /login\nDisallow: /account\n\n\
     Sitemap: https://site.example.com/sitemap.xml\n",
    "\u{feff}User-agent: *\r\nDisallow: /search\r\nDisallow: /print/\r\n",
    "Sitemap: https://www.example.com/sitemap.xml\n",
];
